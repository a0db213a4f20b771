/* Lists the data that is held about a member. */
#ifndef QSOSYNC_STORE_PERSONAL_DATA_H
#define QSOSYNC_STORE_PERSONAL_DATA_H

#include "base/text.h"
#include "database/result.h"

struct store;

enum held {
    HELD_SPOTS,
    HELD_KEYS,
    HELD_TOKENS,
    HELD_SESSIONS,
    HELD_LINKS,
    HELD_PASSKEYS,
    HELD_GRANTS,
    HELD_MAKERS,
    HELD_CALLSIGNS, /* previous callsigns */
    HELD_PROGRAM_IDS,
    HELD_RECORDS,
    HELD_POLO_RECORDS,
    HELD_ALERT_RULES,
    HELD_ALERT_WAYS,
    HELD_ALERT_SETTINGS,
    HELD_ALERT_MUTES,
    HELD_ALERTS,
    HELD_CONFIRMATIONS, /* confirmations by other clubs */
};

/* Receives each row of a list, as a JSON value. */
typedef void held_visitor(void *context, struct text object);
enum store_result store_list_held(struct store *store, enum held what, int64_t member_id,
                                  int64_t now_ms, held_visitor *visit, void *context);

#endif
