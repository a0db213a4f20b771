/* Defines the state of the command undo, and finds the writers whose changes the command undoes. */
#ifndef QSOSYNC_ADMIN_UNDO_WRITERS_H
#define QSOSYNC_ADMIN_UNDO_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

#include "admin/command.h"
#include "base/buffer.h"
#include "store/history/acts.h"
#include "store/history/undo.h"

#define WRITERS_MAX 100

struct undo {
    struct invocation *invocation;
    struct undo_request request;
    struct writer writers[WRITERS_MAX];
    int64_t key_number; /* the number of an API key in --by; 0: --by is a name */
    const char *by;
    bool all, dry_run, json;
    struct undo_state state; /* for the current member */
    struct buffer left;      /* printed lines about the current member's skipped QSOs */
    bool knows_writer;       /* whether a writer that --by names was found */
    struct buffer names;     /* names of the existing writers, for a message */
};

/* Returns whether --by names the operator. */
bool undo_is_by_operator(const char *by);

/* Adds the act's writer to undo->writers, if --by names this writer; `context` is the struct undo.
 */
void undo_add_writer(void *context, const struct act *act);

/* Sets undo->knows_writer if the log has or had a writer that --by names. Also collects the names
 * of keys and tokens for a message. */
void undo_look_for_writer(struct undo *undo, int64_t member_id);

/* Adds a writer to the names for a message. The number is 0 if the writer has no number. */
void undo_know_writer(struct undo *undo, const char *kind, int64_t number, struct text name);

#endif
