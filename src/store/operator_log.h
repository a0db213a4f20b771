/* Stores the acts of operators, whether done on the operator's page or with the command. */
#ifndef QSOSYNC_STORE_OPERATOR_LOG_H
#define QSOSYNC_STORE_OPERATOR_LOG_H

#include <stdint.h>

#include "base/text.h"
#include "store/transaction.h"

#define OPERATOR_LOG_DAYS 365

struct operator_act {
    int64_t number;
    int64_t at_ms;
    struct text operator; /* callsign of the operator; no text: the command */
    struct text act;      /* name of the act, as in the command: "member add" */
    struct text subject;  /* callsign or other object of the act; no text: the whole logbook */
    struct text details;  /* further details; no text: none */
};
typedef void operator_act_visitor(void *context, const struct operator_act *act);

/* Makes an operator the author of the store's following write transactions: the signed-in member
 * with this callsign, or the command (no text). Without this call, the transactions are acts of a
 * member, which are not recorded. If store_write_as has set a session, its member must be an
 * operator in each of these transactions (otherwise STORE_DENIED). The caller keeps the text until
 * the next call to store_write_as, which ends the effect. */
void store_act_as_operator(struct store *store, struct text callsign);

/* Lists at most `limit` acts with numbers below `before` (0: all), newest first. The texts are
 * valid during the call to visit. */
enum store_result store_list_operator_acts(struct store *store, int64_t before, int64_t limit,
                                           operator_act_visitor *visit, void *context);

/* Records an act that writes nothing else, such as "backup". Runs its own transaction. */
enum store_result store_record_operator_act(struct store *store, const char *act,
                                            struct text subject, struct text details);

/* Records an act inside its transaction, if the store writes for an operator. Also removes a few
 * old acts. */
enum store_result operator_log_note(struct transaction *transaction, const char *act,
                                    struct text subject, struct text details);

/* Records an act that concerns a member, under the member's current callsign. Details that are too
 * long for the buffer are cut; a format of NULL means no details. */
enum store_result operator_log_note_member(struct transaction *transaction, const char *act,
                                           int64_t member_id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
