/* Lists the records that a phone receives, in the order of their stamps, as JSON. */
#include "store/log/polo_list.h"

#include "base/datetime.h"
#include "base/uuid.h"
#include "store/log/polo.h"
#include "store/store.h"

struct polo_given {
    const unsigned char *uuid;  /* UUID under which the record is stored; NULL: not stored */
    const unsigned char *shown; /* UUID under which the phone receives the record */
    int64_t place;
    int64_t stamp_ms;
};

/* Appends one record. A phone accepts a QSO only if its time is later than the time from the
 * phone's clock, which can be ahead. The QSO's time is therefore a day ahead. Returns STORE_NONE if
 * nothing is stored about the record. */
static enum store_result append_record(struct store *store, const struct polo_giving *giving,
                                       const struct polo_given *given, struct buffer *out)
{
    char uuid_text[UUID_TEXT_LENGTH + 1];
    uuid_format_text(given->shown, uuid_text);
    struct statement *give =
        store_with(store, STATEMENT_GIVE_POLO_RECORD, BIND("member_id", giving->member_id),
                   BIND("kind", giving->kind), BIND_BLOB("uuid", given->uuid, UUID_BYTES),
                   BIND("text", text_of(uuid_text)), BIND("callsign", giving->callsign),
                   BIND("operation", giving->operation), BIND("place", given->place),
                   BIND("stamp", given->stamp_ms),
                   BIND("time", giving->now_ms + (giving->kind == POLO_QSO ? DATETIME_DAY_MS : 0)));
    enum store_result result = database_step(store->database, give);
    if (result == STORE_DONE) {
        struct text record = database_read_text(give, "record");
        buffer_append(out, record.bytes, record.length);
    }
    sqlite3_reset(give->handle);
    return result;
}

/* Appends the record in the list's row. A phone may have received a QSO under its clientId, and
 * later sent the QSO under another UUID. In that case, the phone also receives a deletion of the
 * clientId. */
static enum store_result append_row(struct store *store, const struct polo_giving *giving,
                                    const struct statement *list, struct buffer *out)
{
    const unsigned char *uuid = database_read_blob(list, "uuid"),
                        *alias = database_read_blob(list, "alias");
    struct polo_given given = {.uuid = uuid,
                               .shown = alias ? alias : uuid,
                               .place = database_read_integer(list, "place"),
                               .stamp_ms = database_read_integer(list, "stamp")};
    enum store_result result = append_record(store, giving, &given, out);
    if (result != STORE_DONE || !alias)
        return result;
    buffer_append(out, ",", 1);
    given.uuid = NULL;
    given.shown = uuid;
    given.place = POLO_DELETED;
    return append_record(store, giving, &given, out);
}

enum store_result store_polo_list_changes(struct store *store, const struct polo_giving *giving,
                                          struct buffer *out, int64_t *left)
{
    const struct polo_query *query = giving->query;
    enum store_result result = STORE_DONE;
    int64_t given = 0, last_ms = 0;
    struct statement *list = store_with(
        store, STATEMENT_LIST_POLO_PLACES, BIND("member_id", giving->member_id),
        BIND("kind", giving->kind), BIND("after", query->after_ms),
        BIND("before", query->before_ms), BIND("direction", query->goes_back ? -1 : 1),
        BIND("phone", giving->phone), BIND("own", query->wants_own ? giving->own_ms : 0));
    *left = 0;
    while (database_next(store->database, list, &result)) {
        const int64_t stamp_ms = database_read_integer(list, "stamp");
        const size_t before = out->length;
        if (given >= giving->limit && (given == 0 || stamp_ms != last_ms || *left > 0)) {
            ++*left;
            continue;
        }
        buffer_append(out, ",", given > 0);
        result = append_row(store, giving, list, out);
        if (result == STORE_DONE) {
            given++;
            last_ms = stamp_ms;
        } else if (result == STORE_NONE) {
            out->length = before;
            result = STORE_DONE;
        }
    }
    return result;
}

enum store_result store_polo_count(struct store *store, int64_t member_id, struct polo_counts *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(polo_counts, operations, "operations"), COLUMN(polo_counts, kept, "kept"),
                COLUMN(polo_counts, qsos, "qsos"));
    return store_find(store, columns, NULL, out, STATEMENT_COUNT_POLO_RECORDS,
                      BIND("member_id", member_id));
}

enum store_result store_polo_list_reasons(struct store *store, int64_t member_id,
                                          void (*visit)(void *context, struct text reason,
                                                        int64_t records),
                                          void *context)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_POLO_REASONS, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_text(list, "reason"), database_read_integer(list, "records"));
    return result;
}
