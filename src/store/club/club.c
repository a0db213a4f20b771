/* Checks and stores the club's texts about itself, such as its name and its contact, and the
 * service's own address. These settings are one row in the logbook, so every backup includes them,
 * and operators can change them without a shell. The caller decides which value applies if a
 * setting is not in the logbook. */
#include "store/club/club.h"

#include <string.h>

#include "base/buffer.h"
#include "base/format.h"
#include "base/host.h"
#include "base/host_local.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "store/log/network_spots.h"
#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

#define API_PATH "/api/v1"

#define AT_MOST(count) .maximum = count, .refusal = "must be at most " #count " characters long"
#define SENT(count)                                                                                \
    .maximum = count, .is_sent = true, .is_hidden = true,                                          \
    .refusal = "must have at most " #count " bytes"
#define ONE_OF(words) .maximum = 6, .is_hidden = true, .choices = words, .refusal = "must be " words

const struct club_field_row club_fields[CLUB_FIELDS] = {
    [CLUB_NAME] = {.name = "name", AT_MOST(80)},
    [CLUB_TEXT] = {.name = "text", AT_MOST(500)},
    [CLUB_LINK] = {.name = "link", AT_MOST(500), .is_url = true},
    [CLUB_CONTACT] = {.name = "contact", AT_MOST(200)},
    [CLUB_LEGAL] = {.name = "legal", AT_MOST(2000), .has_lines = true},
    [CLUB_ADDRESS] = {.name = "address", AT_MOST(500), .is_url = true},
    [CLUB_NUMBERS] = {.name = "numbers", ONE_OF("on or off")},
    [CLUB_ACCENT] = {.name = "accent", ONE_OF("blue, green, teal, purple, pink or brown")},
    [CLUB_CLUSTERS] = {.name = "clusters", SENT(200)},
    [CLUB_STATION] = {.name = "station", SENT(20)},
    [CLUB_FILTER] = {.name = "filter", SENT(80)},
    [CLUB_PICTURES] = {.name = "pictures", ONE_OF("on or off")},
    [CLUB_SANDBOX] = {.name = "sandbox", ONE_OF("off or on")},
    [CLUB_ALERTS] = {.name = "alerts", ONE_OF("on or off")},
};

/* Returns the text before the first of these bytes. */
static struct text up_to(struct text text, const char *ends)
{
    size_t length = 0;
    while (length < text.length && !strchr(ends, text.bytes[length]))
        length++;
    return (struct text){text.bytes, length};
}

/* Returns whether the URL begins with http:// or https:// and a host, perhaps with a port. User
 * names are not allowed. */
static bool is_url(struct text url)
{
    size_t scheme = text_begins_ignoring_case(url, "https://")  ? 8
                    : text_begins_ignoring_case(url, "http://") ? 7
                                                                : 0;
    struct text host = up_to(text_skip(url, scheme), "/?#");
    return scheme && host.length > 0 && host.bytes[0] != ':' &&
           up_to(host, "@").length == host.length &&
           up_to(url, " \"<>\\^`{|}\x7f").length == url.length;
}

static struct text cut_address(struct text address)
{
    address = up_to(address, "?#");
    for (size_t i = 0; i + strlen(API_PATH) <= address.length; i++)
        if (text_begins_ignoring_case(text_skip(address, i), API_PATH))
            address.length = i;
    while (address.length > 0 && address.bytes[address.length - 1] == '/')
        address.length--;
    return address;
}

/* Returns whether the text contains a control character. Line ends do not count if has_lines is
 * true. */
static bool has_control(struct text text, bool has_lines)
{
    struct text line = has_lines ? up_to(text, "\r\n") : text;
    if (text_has_nul(text))
        return true;
    while (line.length < text.length) {
        if (text_has_control(line))
            return true;
        text = text_skip(text, line.length + 1);
        line = up_to(text, "\r\n");
    }
    return text_has_control(line);
}

/* Returns whether the text is one of the words in a phrase such as "blue, green or brown". */
static bool is_choice(struct text text, const char *choices)
{
    if (text_equals(text, text_of("or")))
        return false;
    while (*choices) {
        size_t length = strcspn(choices, ", ");
        if (text_equals(text, (struct text){choices, length}))
            return true;
        choices += length;
        choices += strspn(choices, ", ");
    }
    return false;
}

#define PORT_DIGITS 5

/* Returns whether the text is HOST:PORT, or two of these separated by a comma. */
static bool is_clusters(struct text text)
{
    for (int count = 0; count < 2; count++) {
        struct text port = text_split_next(&text, ','), host = text_split_next(&port, ':');
        int64_t number;
        if (host.length == 0 || host.length > NETWORK_SOURCE_MAX || port.length > PORT_DIGITS ||
            up_to(host, " /@").length < host.length || !text_parse_integer(port, 1, 65535, &number))
            return false;
        if (!text.bytes)
            return true;
    }
    return false;
}

bool club_allows_trials(const struct club *club)
{
    return text_equals(club->values[CLUB_SANDBOX], text_of("on"));
}

bool club_has_public_clusters(struct text clusters)
{
    while (clusters.length > 0) {
        struct text port = text_split_next(&clusters, ',');
        if (host_is_local(&(struct host){.name = text_split_next(&port, ':')}))
            return false;
    }
    return true;
}

const char *club_check_value(enum club_field field, struct text *value)
{
    const struct club_field_row *row = &club_fields[field];
    if (!text_is_utf8(value->bytes, value->length))
        return "must be UTF-8";
    struct text text = text_trim(*value);
    if (field == CLUB_ADDRESS)
        text = cut_address(text);
    *value = text.length > 0 ? text : (struct text){0};
    if (text.length == 0)
        return NULL;
    if (has_control(text, row->has_lines))
        return row->has_lines ? "must not contain control characters" : "must be one line of text";
    if (text_has_invisible(text))
        return "must not contain control characters";
    const size_t length = row->is_sent ? text.length : text_count_code_points(text);
    if (row->choices ? !is_choice(text, row->choices) : length > (size_t)row->maximum)
        return row->refusal;
    if (row->is_url && !is_url(text))
        return "must be an address that starts with https:// or http://";
    if (field == CLUB_CLUSTERS && !is_clusters(text))
        return "must be HOST:PORT, or two of them separated by a comma";
    return NULL;
}

enum store_result store_read_club(struct store *store, struct arena *arena, struct club *out)
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_CLUB);
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE)
        for (int i = 0; i < CLUB_FIELDS; i++)
            out->values[i] = database_keep_text(read, club_fields[i].name, arena);
    if (result == STORE_DONE)
        out->clusters_by_command = database_read_integer(read, "clusters_by_command");
    sqlite3_reset(read->handle);
    return result == STORE_NONE ? STORE_BROKEN : result;
}

/* Records only the names of the changed settings in the activity log, because the texts can be
 * long. */
static enum store_result note(struct transaction *transaction, const bool given[CLUB_FIELDS])
{
    struct buffer names = {0};
    for (int i = 0; i < CLUB_FIELDS; i++)
        if (given[i])
            buffer_print(&names, "%s%s", names.length > 0 ? ", " : "", club_fields[i].name);
    enum store_result result = operator_log_note(transaction, "club set", (struct text){0},
                                                 (struct text){names.bytes, names.length});
    buffer_free(&names);
    return result;
}

enum store_result store_set_club(struct store *store, const struct club *club,
                                 const bool given[CLUB_FIELDS])
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_CLUB);
    char text[24], set_at[24];
    for (int i = 0; i < CLUB_FIELDS; i++) {
        format_cut(text, sizeof text, ":%s", club_fields[i].name);
        format_cut(set_at, sizeof set_at, ":%s_set_at", club_fields[i].name);
        database_bind(update, BOUND(bound_text(text, club->values[i]),
                                    bound_integer_if(set_at, given[i], transaction.stamp_ms)));
    }
    database_bind(update, BOUND(BIND("by_command", !store->operator_callsign.bytes)));
    THEN(result, database_run(store->database, update));
    THEN(result, note(&transaction, given));
    return store_finish(&transaction, result);
}
