/* The links that set up a member's program: the contents of QR codes. */
#ifndef QSOSYNC_LINKS_SETUP_LINK_H
#define QSOSYNC_LINKS_SETUP_LINK_H

#include "base/arena.h"

/* qsosync://config with the API's address and a key, in the arena. */
char *setup_link_make(struct arena *arena, const char *address, const char *key);

/* The address that opens the service's app and gives it a key, in the arena. What follows the # is
 * sent to no server. */
char *setup_link_make_app(struct arena *arena, const char *service, const char *key);

#endif
