/* Data that a restore takes over from the old logbook.
 *
 * Always: the epoch never goes back, deletions up to the restore count as unknown, and ids are
 * never reused. Sessions and links of the backup never count, even if the old logbook is lost.
 *
 * If it is the same logbook, decisions since the backup stay:
 * - Revoked keys stay revoked, and deleted members deleted.
 * - Members keep their present state (active, operator) and the secrets that name their QSOs.
 * - For passwords, the uploads switch, each of the club's details, grants to operate a station and
 *   its page, the later decision wins.
 * - Sessions and valid links stay valid.
 * - Members of the old logbook keep its passkeys.
 * - The activity log has the acts of both.
 *
 * From another logbook, only the epoch, the ids and the activity log are taken over. From a logbook
 * without members, values that the backup has never set are taken over as well. */
#ifndef QSOSYNC_RECOVERY_CARRY_OVER_H
#define QSOSYNC_RECOVERY_CARRY_OVER_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"

struct store;

/* Whether the old logbook and the candidate are the same. They are if they share an identity, or a
 * past or present member, because a backup of an older schema has no lasting identity. */
enum logbook_relation {
    RELATION_NONE,  /* two different logbooks */
    RELATION_EMPTY, /* the old one has no members, as on a newly installed machine */
    RELATION_SAME,
};

enum store_result carry_over_compare(struct store *former, struct store *candidate,
                                     enum logbook_relation *relation);

/* Deletes members, peers and claims from the candidate, which is the copy of the backup, with all
 * data that depends on them. These are members deleted and peers removed in the old logbook, and
 * claims about members who accept none there. *deleted grows by the number of members. Other
 * processes may use the old logbook meanwhile. */
enum store_result carry_over_endings(struct store *former, struct store *candidate,
                                     int64_t *deleted);

/* Writes the data to keep from the old logbook to the copy. The caller has a write transaction on
 * the copy, inside the write transaction that the copy will replace. */
enum store_result carry_over_take(struct store *former, struct store *candidate,
                                  enum logbook_relation relation);

/* Raises the epoch above every earlier one, even if the old logbook is lost, and ends the
 * candidate's sessions and links. */
enum store_result carry_over_nothing(struct store *store);

#endif
