/* The link that sets up a member's program: the content of its QR code. */
#ifndef QSOSYNC_LINKS_SETUP_LINK_H
#define QSOSYNC_LINKS_SETUP_LINK_H

#include "base/arena.h"

/* qsosync://config with the API's address and a key, in the arena. */
char *setup_link_make(struct arena *arena, const char *address, const char *key);

#endif
