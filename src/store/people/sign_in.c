/* Finds the member who signs in: by callsign, in every spelling that confirmation treats as equal,
 * or by login name. */
#include "store/people/sign_in.h"

#include "base/text.h"
#include "qso/match_callsign.h"
#include "store/store.h"

static const struct read_column sign_in_columns[] = COLUMNS(
    COLUMN(sign_in, member_id, "id"), COLUMN(sign_in, callsign, "callsign"),
    COLUMN(sign_in, password_hash, "password_hash"), COLUMN(sign_in, member_is_active, "active"));

enum store_result store_find_sign_in(struct store *store, struct arena *arena, struct text name,
                                     struct sign_in *out)
{
    struct match_callsign callsign;
    name = text_trim(name);
    if (name.length == 0 || text_has_nul(name))
        return STORE_NONE;
    match_normalise_callsign(name, &callsign);
    const bool is_callsign = callsign.length > 0 && name.length <= MATCH_CALLSIGN_BYTES;
    return store_find(store, sign_in_columns, arena, out, STATEMENT_FIND_SIGN_IN_NAME,
                      BIND("callsign", is_callsign ? match_text(&callsign) : (struct text){0}),
                      BIND("name", name));
}

enum store_result store_find_member_sign_in(struct store *store, struct arena *arena,
                                            int64_t member_id, struct sign_in *out)
{
    return store_find(store, sign_in_columns, arena, out, STATEMENT_FIND_SIGN_IN,
                      BIND("member_id", member_id));
}
