/* SPDX-License-Identifier: Apache-2.0 */
/* The version of er-tools, which the programs show and experiments record. The format's own version is in layout.h. */
#ifndef VERSION_H
#define VERSION_H

#define ER_TOOLS_VERSION "1.0"

#endif
