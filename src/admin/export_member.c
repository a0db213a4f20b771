/* Writes everything that the service holds about one member as JSON, so that they can be given it.
 * The log goes out page by page, in one snapshot, so that a log of any length takes little memory.
 * The file itself is made by new_file.c. */
#include "admin/export_member.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/keys.h"
#include "admin/new_file.h"
#include "admin/spots.h"
#include "admin/uploads.h"
#include "base/clock.h"
#include "json/write.h"
#include "qso/render.h"
#include "store/logbook.h"
#include "store/qsos.h"

#define PAGE_QSOS 500

/* The file that is being written. */
struct export
{
    FILE *file;
    struct buffer buffer;
    struct position last; /* QSOs written so far */
    int64_t count;        /* of QSOs on the present page */
    int64_t all;
    bool first;
    bool failed;
};

static void flush_buffer(struct export *export)
{
    if (fwrite(export->buffer.bytes, 1, export->buffer.length, export->file) !=
        export->buffer.length)
        export->failed = true;
    buffer_clear(&export->buffer);
}

static void write_qso(void *context, const struct qso *qso)
{
    struct export *export = context;
    buffer_append_string(&export->buffer, export->first ? "\n " : ",\n ");
    render_qso(qso, &export->buffer);
    export->first = false;
    export->count++;
    export->all++;
    export->last =
        (struct position){qso->values[FIELD_SYNCED_AT].integer, qso->values[FIELD_ID].integer};
}

static enum store_result write_log(struct invocation *invocation, const struct member *member,
                                   struct export *export)
{
    enum store_result result = STORE_DONE;
    export->first = true;
    do {
        export->count = 0;
        result = store_list_qsos(invocation->store, member->id, export->last, PAGE_QSOS, write_qso,
                                 export);
        flush_buffer(export);
    } while (result == STORE_DONE && export->count == PAGE_QSOS && !export->failed);
    return result;
}

static void append_text(struct buffer *out, const char *name, struct text text)
{
    buffer_print(out, "\"%s\": ", name);
    json_append_string(out, text.bytes, text.length);
    buffer_append_string(out, ", ");
}

static void append_member(struct buffer *out, const struct member *member, int64_t now_ms)
{
    buffer_append_string(out, "{\"exportedAt\": ");
    json_append_time(out, now_ms);
    buffer_append_string(out, ",\n\"member\": {");
    append_text(out, "callsign", member->callsign);
    append_text(out, "locator", member->locator);
    append_text(out, "login", member->login);
    buffer_print(out, "\"active\": %s, \"createdAt\": ", member->active ? "true" : "false");
    json_append_time(out, member->created_at_ms);
    buffer_append_string(out, "},\n");
}

/* The short lists, which fit into memory, as members of the object. */
static enum store_result append_lists(struct invocation *invocation, const struct member *member,
                                      struct buffer *out)
{
    static const struct {
        const char *name;
        enum store_result (*collect)(const struct invocation *invocation, int64_t member_id,
                                     struct listing *listing);
    } lists[] = {
        {"keys", keys_collect},
        {"uploadTokens", uploads_collect},
        {"spots", spots_collect},
    };
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && result == STORE_DONE; i++) {
        struct listing listing;
        result = lists[i].collect(invocation, member->id, &listing);
        if (result == STORE_DONE) {
            buffer_print(out, "\"%s\": ", lists[i].name);
            listing_append_json(&listing, out);
            buffer_append_string(out, ",");
        }
    }
    return result;
}

static enum store_result write_all(struct invocation *invocation, const struct member *member,
                                   int64_t now_ms, struct export *export)
{
    append_member(&export->buffer, member, now_ms);
    enum store_result result = append_lists(invocation, member, &export->buffer);
    if (result != STORE_DONE)
        return result;
    buffer_append_string(&export->buffer, "\"qsos\": [");
    result = write_log(invocation, member, export);
    buffer_print(&export->buffer, "\n],\n\"qsoCount\": %lld}\n", (long long)export->all);
    flush_buffer(export);
    return result;
}

bool export_member(struct invocation *invocation, const struct member *member, const char *path)
{
    struct export export = {0};
    int64_t now_ms = clock_wall_ms();
    int file = new_file_open(path);
    if (file < 0)
        return false;
    export.file = fdopen(file, "w");
    enum store_result result = store_begin_read(invocation->store, &now_ms);
    if (result == STORE_DONE) {
        result = write_all(invocation, member, now_ms, &export);
        store_end_read(invocation->store);
    }
    errno = 0;
    bool written = fflush(export.file) == 0 && !export.failed && fsync(file) == 0;
    if (!written)
        command_refuse("%s: cannot write the file: %s", path, strerror(errno));
    fclose(export.file);
    buffer_free(&export.buffer);
    if (written && result == STORE_DONE)
        return true;
    new_file_remove(path);
    return false;
}
