/* Writes the history of a log as JSON, for the pages, the operator's command and a member's export.
 */
#ifndef QSOSYNC_TRANSFER_HISTORY_H
#define QSOSYNC_TRANSFER_HISTORY_H

#include "base/buffer.h"
#include "store/history/changes.h"
#include "store/history/undo.h"
#include "store/log/edits.h"

/* Convert the kind of a writer to KEY, TOKEN, SESSION or OPERATOR, and back. Any other text is
 * WRITER_KINDS. */
const char *history_writer_name(enum writer_kind kind);
enum writer_kind history_read_writer(struct text name);

/* SYNC, IMPORT, UNDO, RESTORE. */
const char *history_work_name(enum history_work work);

/* Append an act, and a QSO that an undo skips, as an object. */
void history_append_act(const struct act *act, struct buffer *out);
void history_append_left(const struct undo_left *left, struct buffer *out);
/* Appends only the cause why an undo skips a QSO: who changed the QSO later, and the reason. */
void history_append_cause(const struct undo_left *left, struct buffer *out);

/* Writes a field "writer" with the act's writer; NULL: null. */
void history_write_writer(const struct act *act, struct buffer *out);

/* Writes the fields of a change's object, without braces: the QSO, and each field that differs
 * before and after. */
void history_write_change(const struct change *change, struct buffer *out);

/* Writes the fields of an act, without braces. with_state: including the present state of its
 * writer. takesBack and revived are the previous names of undoes and restored, and are written for
 * one more release. */
void history_write_act(const struct act *act, bool with_state, struct buffer *out);

#endif
