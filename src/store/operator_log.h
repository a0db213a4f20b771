/* What operators did, by their page or by the command. */
#ifndef QSOSYNC_STORE_OPERATOR_LOG_H
#define QSOSYNC_STORE_OPERATOR_LOG_H

#include "base/text.h"
#include "store/transaction.h"

#define OPERATOR_LOG_DAYS 365

struct operator_act {
    int64_t number;
    int64_t at_ms;
    struct text operator; /* callsign; no text: the command */
    struct text act;      /* as the command is called: "member add" */
    struct text subject;  /* no text: the logbook as a whole */
    struct text details;  /* no text: none */
};
typedef void operator_act_visitor(void *context, const struct operator_act *act);

/* From now on the write transactions of this store that change more than QSOs are acts of an
 * operator: of this callsign, who is signed in, or of the command (no text). Without this call,
 * they are a member's own, and not noted. If store_write_as has named a session, its member has
 * to be an operator in each of these transactions (STORE_DENIED). The text stays the caller's; the
 * next store_write_as ends it. */
void store_act_as_operator(struct store *store, struct text callsign);

/* Newest first, `limit` of them, those before the number `before` (0: from the newest on). The
 * texts are valid during the call. */
enum store_result store_list_operator_acts(struct store *store, int64_t before, int64_t limit,
                                           operator_act_visitor *visit, void *context);

/* Notes an act that writes nothing else ("backup"). Runs its own transaction. */
enum store_result store_note_operator_act(struct store *store, const char *act, struct text subject,
                                          struct text details);

/* -- For other files of the store -------------------------------------------------------------- */

/* Notes one inside the transaction that it belongs to, if the store acts for an operator. Removes a
 * few that are too old. */
enum store_result operator_log_note(struct transaction *transaction, const char *act,
                                    struct text subject, struct text details);

/* The same of what was done to a member, who is called by the callsign of this moment. The details
 * are printed (NULL: none); those of a member's names and texts fit. */
enum store_result operator_log_note_member(struct transaction *transaction, const char *act,
                                           int64_t member_id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
