/* Finds the writers whose changes the command undo undoes: a key by its number, or anybody by name.
 * If the writer is unknown, the command must report an error, and not that nothing was undone. */
#include "admin/undo_writers.h"

#include <string.h>
#include <strings.h>

#include "admin/command.h"
#include "store/people/keys.h"

bool undo_is_by_operator(const char *by)
{
    return strcasecmp(by, "operator") == 0;
}

/* Returns whether --by names the act's writer: a key by its number, or any writer by name. */
static bool is_meant(const struct undo *undo, const struct act *act)
{
    const struct writer *writer = &act->writer;
    return undo->key_number ? writer->kind == WRITER_KEY && writer->number == undo->key_number
           : writer->kind == WRITER_OPERATOR ? undo_is_by_operator(undo->by)
                                             : text_equals(act->name, undo->request.subject);
}

void undo_add_writer(void *context, const struct act *act)
{
    struct undo *undo = context;
    const struct writer *writer = &act->writer;
    bool meant = is_meant(undo, act);
    for (size_t i = 0; i < undo->request.writer_count; i++)
        meant = meant && (undo->writers[i].kind != writer->kind ||
                          undo->writers[i].number != writer->number);
    if (meant && undo->request.writer_count < WRITERS_MAX)
        undo->writers[undo->request.writer_count++] = *writer;
}

#define NAMES_MAX 300 /* bytes of names after which a message names no more writers */

void undo_know_writer(struct undo *undo, const char *kind, int64_t number, struct text name)
{
    if (undo->names.length > NAMES_MAX)
        return;
    buffer_append_string(&undo->names, undo->names.length > 0 ? ", " : "");
    buffer_print(&undo->names, number ? "%s %lld (%.*s)" : "%s", kind, (long long)number,
                 (int)name.length, name.bytes ? name.bytes : "");
}

static void know_key(void *context, const struct key *key)
{
    struct undo *undo = context;
    undo->knows_writer |= undo->key_number ? key->scope && key->number == undo->key_number
                                           : text_equals(key->name, undo->request.subject);
    undo_know_writer(undo, key->scope ? "key" : "upload token", key->number, key->name);
}

/* Sets undo->knows_writer if --by names the act's writer. Ended sessions, and credentials revoked
 * long ago, are found only by their writes. */
static void know_act(void *context, const struct act *act)
{
    struct undo *undo = context;
    undo->knows_writer |= is_meant(undo, act);
}

void undo_look_for_writer(struct undo *undo, int64_t member_id)
{
    struct store *store = undo->invocation->store;
    if (undo->knows_writer)
        return;
    command_require_done(store_list_keys(store, CREDENTIAL_KEY, member_id, know_key, undo));
    command_require_done(store_list_keys(store, CREDENTIAL_TOKEN, member_id, know_key, undo));
    if (!undo->knows_writer)
        command_require_done(store_list_acts(store,
                                             &(struct acts_query){.member_id = member_id,
                                                                  .from = INT64_MAX,
                                                                  .since_ms = INT64_MIN,
                                                                  .limit = INT64_MAX},
                                             know_act, undo));
}
