#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pages of pictures in a real browser: what the mouse finds, zoom, search, keys, filters, focus, metrics, the list, hostile names.
export ER_PRINT=$BUILD/bin/er_print
exec /usr/bin/python3 "$TESTS/tools/picture_page.py"
