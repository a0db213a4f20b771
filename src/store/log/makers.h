/* Stores the creators of a station's QSOs: the callsigns of the members who logged the QSOs. */
#ifndef QSOSYNC_STORE_MAKERS_H
#define QSOSYNC_STORE_MAKERS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/transaction.h"

/* Finds the callsign of the QSO's creator, and copies the callsign into the arena. Sets no text if
 * the creator is unknown. */
enum store_result store_find_maker(struct store *store, struct arena *arena, int64_t member_id,
                                   int64_t qso_id, struct text *out);

/* Receives a QSO's id and its creator's callsign, which is valid during the call. */
typedef void maker_visitor(void *context, int64_t qso_id, struct text maker);

/* Calls visit for each QSO of the member whose creator is known. */
enum store_result store_list_makers(struct store *store, int64_t member_id, maker_visitor *visit,
                                    void *context);

/* Stores the creator of a new QSO, inside the write transaction that created the QSO. If `maker`
 * has no text, stores nothing. */
enum store_result makers_note(struct transaction *transaction, int64_t member_id, int64_t qso_id,
                              struct text maker);

#endif
