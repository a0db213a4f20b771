/* Passwords, which the logbook keeps, and the file beside it that is made of them, whole each time,
 * for front servers. */
#ifndef QSOSYNC_STORE_LOGINS_H
#define QSOSYNC_STORE_LOGINS_H

#include "base/text.h"
#include "store/transaction.h"

/* Gives the member with this login name another password; hash is what crypt(3) made of it. The
 * password file FILE-logins beside the database, for front servers, is written with it.
 * STORE_REFUSED: the login name holds what cannot stand in such a file. Runs its own transaction.
 */
enum store_result store_set_login_password(struct store *store, struct text login,
                                           const char *hash);

/* Makes the password file what the logbook says, and where there is none: Apache answers an error
 * of the server, not one of the client, as long as the file is missing. */
enum store_result store_make_password_file(struct store *store);

/* -- For other files of the store -------------------------------------------------------------- */

enum logins_missing { LOGINS_STAY_MISSING, LOGINS_ARE_MADE };

/* Makes the file beside the logbook of this path what the store's members say. A missing file is
 * made only where that is asked for. STORE_BROKEN after a line in the log. */
enum store_result logins_write(struct store *store, const char *logbook,
                               enum logins_missing missing);

/* Former versions kept passwords in the file alone: takes them over for members who were never
 * looked for there. STORE_BROKEN after a line in the log: the file is there and cannot be read. */
enum store_result logins_take_over(struct store *store);

/* The same, outside of a transaction; only where there is something to take over. */
enum store_result logins_take_over_once(struct store *store);

/* The same for every member who has a line in the file beside the logbook of this path, which is
 * lost: its file is later than any backup. */
enum store_result logins_take_all(struct store *store, const char *logbook, int64_t stamp_ms);

/* store_finish for a transaction that has changed who logs in, with the file. */
enum store_result logins_finish(struct transaction *transaction, enum store_result result,
                                enum logins_missing missing);

#endif
