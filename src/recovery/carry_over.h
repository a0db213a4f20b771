/* Carries data over from the old logbook into the candidate of a restore.
 *
 * Always: the epoch never decreases, deletions up to the restore count as unknown, and ids are
 * never reused. Sessions and links in the backup are never valid, even if the old logbook is lost,
 * and the backup's waiting alerts are never sent.
 *
 * If the backup is from the same logbook, decisions since the backup remain in effect:
 * - Revoked keys stay revoked, and used codes for peers stay used.
 * - Deleted members, removed peers and removed cards stay removed.
 * - Members keep their current state (active, operator, confirmations by peers) and their secrets
 *   for the cluster feed. Callsigns since the backup become previous callsigns.
 * - The later decision wins for passwords, the uploads switch, each of the club's details, grants
 *   to operate a station, and stations' pages.
 * - Sessions and links keep their current state.
 * - Members of the old logbook keep their current passkeys, and the rules and ways of their alerts.
 * - The activity log has the acts from both logbooks.
 *
 * From another logbook, only the epoch, the ids and the activity log are carried over. From a
 * logbook without members, the uploads switch and the club's details are carried over as well, if
 * the backup has never set them. */
#ifndef QSOSYNC_RECOVERY_CARRY_OVER_H
#define QSOSYNC_RECOVERY_CARRY_OVER_H

#include "database/result.h"
#include "recovery/both_logbooks.h"

struct store;

/* Writes the data to be kept from the old logbook to the candidate. The caller has opened a write
 * transaction on the old logbook and, inside it, a write transaction on the candidate. */
enum store_result carry_over_take(struct store *old, struct store *candidate,
                                  enum logbook_relation relation);

/* Raises the epoch above every earlier epoch, even if the old logbook is lost. Ends the candidate's
 * sessions and links. */
enum store_result carry_over_nothing(struct store *store);

#endif
