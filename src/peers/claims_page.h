/* A page of claims from a peer. */
#ifndef QSOSYNC_PEERS_CLAIMS_PAGE_H
#define QSOSYNC_PEERS_CLAIMS_PAGE_H

#include "base/arena.h"
#include "store/club/claims_fetch.h"

/* Reads a page into *page, in the arena. Returns NULL, or the fault as a phrase that follows the
 * peer's address. */
const char *claims_page_read(struct arena *arena, struct text body, struct pull_page *page);

#endif
