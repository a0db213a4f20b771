/* Everything that the service holds about a member, as JSON: the same for the member and for the
 * operator. */
#ifndef QSOSYNC_TRANSFER_MEMBER_EXPORT_H
#define QSOSYNC_TRANSFER_MEMBER_EXPORT_H

#include "base/buffer.h"
#include "store/history/acts.h"
#include "store/log/edits.h"
#include "store/people/members.h"
#include "store/history/undo.h"

/* Writes one object: the member, the API keys and upload tokens (never their secrets), the spots,
 * and the QSOs as in the API. It ends with "qsoCount", so that a truncated file can be recognised.
 * Reads in one snapshot and passes pieces to write; if write returns false, it ends with
 * STORE_DONE. */
enum store_result
member_export_write(struct store *store, const struct member *member, int64_t now_ms,
                    bool (*write)(void *context, const char *bytes, size_t length), void *context);

/* The history of a log as JSON, for the pages, the operator's command and a member's export. */

/* KEY, TOKEN, SESSION, OPERATOR; WRITER_KINDS for any other text. */
const char *history_writer_name(enum writer_kind kind);
enum writer_kind history_read_writer(struct text name);

/* SYNC, IMPORT, UNDO, RESTORE. */
const char *history_work_name(enum history_work work);

/* Append a whole object. */
void history_append_act(const struct act *act, struct buffer *out);
void history_append_left(const struct undo_left *left, struct buffer *out);
/* The same without anything of the QSO: only who changed it later, and the reason. */
void history_append_cause(const struct undo_left *left, struct buffer *out);

/* A field "writer" with the act's writer; NULL: null. */
void history_write_writer(const struct act *act, struct buffer *out);

/* The fields of a change's object, without its braces: which QSO it is, and each field that differs
 * before and after. */
void history_write_change(const struct change *change, struct buffer *out);

#endif
