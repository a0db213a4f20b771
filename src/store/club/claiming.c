/* Stores whether a member takes part in confirmations by other clubs, and finds the club that
 * confirms a QSO. */
#include "store/club/claiming.h"

#include "store/confirm/claims.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result store_set_claiming(struct store *store, int64_t member_id, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_run(store, STATEMENT_UPDATE_CLAIMS_SWITCH, BIND("member_id", member_id),
                           BIND("claims", on)));
    if (!on)
        THEN(result,
             claims_remove_all(&transaction, store_with(store, STATEMENT_LIST_CLAIMS_ABOUT_MEMBER,
                                                        BIND("member_id", member_id))));
    return store_finish(&transaction, result);
}

enum store_result store_find_peer_of_qso(struct store *store, struct arena *arena, int64_t qso_id,
                                         struct peer_confirmation *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(peer_confirmation, station, "station"), COLUMN(peer_confirmation, club, "club"));
    out->qso_id = qso_id;
    return store_find(store, columns, arena, out, STATEMENT_FIND_PEER_OF_QSO,
                      BIND("qso_id", qso_id));
}
