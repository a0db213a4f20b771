/* What a restore takes over from the former logbook: the epoch never goes back, deletions count as
 * unknown up to the restore, and decisions since the backup stay. Keys that are revoked stay
 * revoked, deleted members deleted; members are active or not, and operators or not, as they are
 * now, and keep the secrets that name their QSOs; for a password, the uploads switch and
 * each of the club's details the later decision wins, and likewise for grants to operate a
 * station and for its page. Ids are never reused. Who is
 * signed in stays so, and valid links stay valid: those of the backup never count, even if the
 * former logbook is lost. Passkeys of members whom the former logbook knows are those that it has.
 * The log of acts has what either had. Of another logbook the epoch, the ids and the log of acts
 * alone are taken over; of one without members what the backup has never said, too. */
#ifndef QSOSYNC_RECOVERY_CARRY_OVER_H
#define QSOSYNC_RECOVERY_CARRY_OVER_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"

struct store;

/* Whether the former logbook and the candidate are one: by their identity, or by somebody who is or
 * was a member of both, because a backup of an older schema has no identity that lasts. */
enum kinship {
    KINSHIP_NONE,  /* another logbook's */
    KINSHIP_EMPTY, /* the former one has no members: as the package leaves it on a new machine */
    KINSHIP_SAME,
};

enum store_result carry_over_compare(struct store *former, struct store *candidate,
                                     enum kinship *kinship);

/* Deletes from the candidate, the copy of the backup, the members that the former logbook knows as
 * deleted (*deleted grows by their number), the peers that it knows as removed, and the claims
 * about members who take none there, with all that rests on them. Other processes may use the
 * former logbook meanwhile. */
enum store_result carry_over_endings(struct store *former, struct store *candidate,
                                     int64_t *deleted);

/* Writes to the copy, in a write transaction of its caller's, what is to be kept of the former
 * logbook, inside the write transaction that the copy will replace. */
enum store_result carry_over_take(struct store *former, struct store *candidate,
                                  enum kinship kinship);

/* Raises the epoch above every former one, also if the former logbook is lost, and ends what the
 * candidate has of sessions and links. */
enum store_result carry_over_nothing(struct store *store);

#endif
