#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pictures in a real browser, by mouse and keyboard: hover, zoom, search, keys, links, colours of the system, hostile names.
export ER_PRINT=$BUILD/bin/er_print
exec /usr/bin/python3 "$TESTS/tools/picture_interaction.py"
