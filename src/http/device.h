/* The name of the device or program that sent a request. */
#ifndef QSOSYNC_HTTP_DEVICE_H
#define QSOSYNC_HTTP_DEVICE_H

#include "base/arena.h"
#include "base/text.h"

/* Returns the names of the browser and the system, such as "Firefox on Linux". An unknown browser
 * is named "A browser", and an unknown system is left out. The text is constant or in the arena.
 * The User-Agent header (NULL: no header) only selects fixed words, and is not copied. */
struct text device_name(struct arena *arena, const char *user_agent);

#define DEVICE_PROGRAM_MAX 40 /* maximum length in characters */

/* Returns the name and version with which a program introduces itself in the User-Agent header,
 * such as "QSOmate/2.1", in printable ASCII. A browser is named as device_name does. Returns no
 * text if the header is missing, has no name, or could contain a key. */
struct text device_program(struct arena *arena, const char *user_agent);

#endif
