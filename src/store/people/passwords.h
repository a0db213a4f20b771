/* The passwords of members, which are stored as hashes. */
#ifndef QSOSYNC_STORE_PASSWORDS_H
#define QSOSYNC_STORE_PASSWORDS_H

#include <stdint.h>

#include "store/transaction.h"

/* Sets the member's password, signs out all devices except that of the session `kept` (0: signs out
 * all), and revokes all links. hash is the result of password_hash. Runs its own transaction. */
enum store_result store_set_password(struct store *store, int64_t member_id, const char *hash,
                                     int64_t kept);

/* Writes the hash of the member's password, or (NULL) removes the password, inside a write
 * transaction. STORE_NONE: no such member. */
enum store_result passwords_write(struct transaction *transaction, int64_t member_id,
                                  const char *hash);

#endif
