/* Sets and removes members' passwords. src/base/password.c creates and verifies the hashes. */
#include "store/people/passwords.h"

#include "store/people/sessions.h"
#include "store/store.h"

enum store_result passwords_write(struct transaction *transaction, int64_t member_id,
                                  const char *hash)
{
    return store_change(transaction->store, STATEMENT_SET_PASSWORD, BIND("member_id", member_id),
                        BIND("password_hash", text_of(hash)),
                        BIND("password_set_at", transaction->stamp_ms));
}

enum store_result store_set_password(struct store *store, int64_t member_id, const char *hash,
                                     int64_t kept)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, passwords_write(&transaction, member_id, hash));
    THEN(result, sessions_end_devices(&transaction, member_id, kept, LINK_INVITATION));
    if (result == STORE_DONE && kept)
        result = sessions_prove(&transaction, member_id, kept, true);
    return store_finish(&transaction, result);
}
