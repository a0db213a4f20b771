/* What lists call a browser that is signed in. */
#ifndef QSOSYNC_SITE_DEVICE_H
#define QSOSYNC_SITE_DEVICE_H

#include "base/arena.h"
#include "base/text.h"

/* Browser and system in words, in the arena: "Firefox on Linux"; "A browser" if neither is
 * known. The header User-Agent (NULL: none) decides between words that stand here, and nothing of
 * it is kept. */
struct text device_name(struct arena *arena, const char *user_agent);

#endif
