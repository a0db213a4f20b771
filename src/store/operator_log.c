/* Stores the activity of operators: the operator, the act, the member and the time. Acts are kept
 * for a year. The store's functions record their acts themselves, in the transaction of the act, so
 * that neither the act nor its record exists without the other. */
#include "store/operator_log.h"

#include <stdarg.h>

#include "base/datetime.h"
#include "base/format.h"
#include "store/ageing.h"
#include "store/store.h"

#define REMOVED_AT_ONCE 10
#define DETAILS_BYTES 1600 /* room for a login name of 200 code points, and a few words */

void store_act_as_operator(struct store *store, struct text callsign)
{
    store->acts_as_operator = true;
    store->operator_callsign = callsign;
}

/* Records an act that concerns a member or the subject. Also removes a few old acts. */
static enum store_result note(struct transaction *transaction, const char *act, int64_t member_id,
                              struct text subject, struct text details)
{
    struct store *store = transaction->store;
    enum store_result result =
        store_run(store, STATEMENT_INSERT_OPERATOR_ACT, BIND("at", transaction->written_at_ms),
                  BIND("operator", store->operator_callsign), BIND("act", text_of(act)),
                  BIND_OR_NULL("member_id", member_id), BIND("subject", subject),
                  BIND("details", details.length > 0 ? details : (struct text){0}));
    return THEN(result,
                store_run(store, STATEMENT_DELETE_OLD_OPERATOR_ACTS,
                          BIND("before",
                               store_old_before(transaction, OPERATOR_LOG_DAYS * DATETIME_DAY_MS)),
                          BIND("most", REMOVED_AT_ONCE)));
}

enum store_result operator_log_note(struct transaction *transaction, const char *act,
                                    struct text subject, struct text details)
{
    return transaction->store->acts_as_operator ? note(transaction, act, 0, subject, details)
                                                : STORE_DONE;
}

enum store_result operator_log_note_member(struct transaction *transaction, const char *act,
                                           int64_t member_id, const char *format, ...)
{
    char details[DETAILS_BYTES];
    if (!transaction->store->acts_as_operator)
        return STORE_DONE;
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        format_cut_list(details, sizeof details, format, arguments);
        va_end(arguments);
    }
    return note(transaction, act, member_id, (struct text){0}, text_of(format ? details : NULL));
}

enum store_result store_record_operator_act(struct store *store, const char *act,
                                            struct text subject, struct text details)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, operator_log_note(&transaction, act, subject, details));
    return store_finish(&transaction, result);
}

enum store_result store_list_operator_acts(struct store *store, int64_t before, int64_t limit,
                                           operator_act_visitor *visit, void *context)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(operator_act, number, "id"), COLUMN(operator_act, at_ms, "at"),
                COLUMN(operator_act, operator, "operator"), COLUMN(operator_act, act, "act"),
                COLUMN(operator_act, subject, "subject"), COLUMN(operator_act, details, "details"));
    ROW_READER(columns, STATEMENT_LIST_OPERATOR_ACTS);
    struct statement *list =
        store_with(store, STATEMENT_LIST_OPERATOR_ACTS,
                   BIND("before", before > 0 ? before : INT64_MAX), BIND("limit", limit));
    struct operator_act act;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, columns, &act, &result))
        visit(context, &act);
    return result;
}
