/* Stores members' passwords as hashes. */
#ifndef QSOSYNC_STORE_PASSWORDS_H
#define QSOSYNC_STORE_PASSWORDS_H

#include <stdint.h>

#include "store/transaction.h"

/* Sets the member's password, signs out all devices except the device of the session `kept` (0: no
 * exception), and revokes all links. `hash` is the result of password_hash. Runs its own
 * transaction. */
enum store_result store_set_password(struct store *store, int64_t member_id, const char *hash,
                                     int64_t kept);

/* Writes the hash of the member's password, or removes the password (NULL), inside a write
 * transaction. Returns STORE_NONE if the member does not exist. */
enum store_result passwords_write(struct transaction *transaction, int64_t member_id,
                                  const char *hash);

#endif
