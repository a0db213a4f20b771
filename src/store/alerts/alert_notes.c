/* Reads what alert_queue.c has stored. */
#include "store/alerts/alert_notes.h"

#include "store/store.h"

enum store_result store_list_alert_notes(struct store *store, int64_t member_id,
                                         alert_note_visitor *visit, void *context)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(alert_note, id, "id"), COLUMN(alert_note, at_ms, "at"),
                COLUMN(alert_note, rule, "rule"), COLUMN(alert_note, dx_callsign, "dx_callsign"),
                COLUMN(alert_note, spotter, "spotter"), COLUMN(alert_note, band, "band"),
                COLUMN(alert_note, frequency_hz, "frequency"),
                COLUMN(alert_note, channel, "channel"), COLUMN_OR(alert_note, mode, "mode", -1),
                COLUMN(alert_note, held, "held"), COLUMN(alert_note, waiting, "waiting"),
                COLUMN(alert_note, sent, "sent"), COLUMN(alert_note, failed, "failed"));
    ROW_READER(columns, STATEMENT_LIST_ALERT_NOTES);
    struct statement *list =
        store_with(store, STATEMENT_LIST_ALERT_NOTES, BIND("member_id", member_id),
                   BIND("limit", ALERT_LISTED_MAX));
    enum store_result result = STORE_DONE;
    struct alert_note note;
    while (database_next_row(store->database, list, columns, &note, &result))
        visit(context, &note);
    return result;
}

enum store_result store_read_alert_state(struct store *store, struct alert_state *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(alert_state, is_off, "is_off"), COLUMN(alert_state, ran_at_ms, "ran_at"));
    return store_find(store, columns, NULL, out, STATEMENT_READ_ALERT_STATE);
}
