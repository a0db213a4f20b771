/* Reads the callsigns that a member's log has or had. */
#ifndef QSOSYNC_TRANSFER_MATCHING_OWN_H
#define QSOSYNC_TRANSFER_MATCHING_OWN_H

#include "base/arena.h"
#include "qso/contact.h"
#include "store/store.h"

/* Reads the callsigns that the member's log has or had, in the arena. */
enum store_result matching_read_own(struct store *store, int64_t member_id, struct arena *arena,
                                    struct contact_own *out);

#endif
