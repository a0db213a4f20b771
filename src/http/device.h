/* The name of the device that sent a request. */
#ifndef QSOSYNC_HTTP_DEVICE_H
#define QSOSYNC_HTTP_DEVICE_H

#include "base/arena.h"
#include "base/text.h"

/* Returns the names of the browser and the system, in the arena: "Firefox on Linux", or "A browser"
 * if neither is known. The User-Agent header (NULL: no header) only selects fixed words, and is not
 * copied. */
struct text device_name(struct arena *arena, const char *user_agent);

#endif
