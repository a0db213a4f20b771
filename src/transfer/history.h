/* Writes a log's history as JSON, for the pages, the operator's command and a member's export. */
#ifndef QSOSYNC_TRANSFER_HISTORY_H
#define QSOSYNC_TRANSFER_HISTORY_H

#include "base/buffer.h"
#include "store/history/changes.h"
#include "store/history/undo.h"
#include "store/log/edits.h"

/* Convert the kind of a writer to KEY, TOKEN, SESSION or OPERATOR, and back. Any other text becomes
 * WRITER_KINDS. */
const char *history_writer_name(enum writer_kind kind);
enum writer_kind history_read_writer(struct text name);

/* Returns SYNC, IMPORT, UNDO, RESTORE or MERGE. */
const char *history_work_name(enum history_work work);

/* Append an object for an act, and for a QSO that an undo skips. */
void history_append_act(const struct act *act, struct buffer *out);
void history_append_left(const struct undo_left *left, struct buffer *out);
/* Appends only the reason why an undo skips a QSO, and who changed the QSO later. */
void history_append_cause(const struct undo_left *left, struct buffer *out);

/* Writes the field "writer" with the act's writer; if `act` is NULL, with null. */
void history_write_writer(const struct act *act, struct buffer *out);

/* Writes the fields of a change, without braces: the QSO, and each field whose value the change has
 * set, replaced or removed. */
void history_write_change(const struct change *change, struct buffer *out);

/* Writes the fields of an act, without braces. With with_state, also writes the current state of
 * the act's writer. takesBack and revived are the previous names of undoes and restored, and are
 * still written for one release. */
void history_write_act(const struct act *act, bool with_state, struct buffer *out);

#endif
