/* What other files of the store do with the password file, inside an open write transaction. */
#ifndef QSOSYNC_STORE_LOGINS_H
#define QSOSYNC_STORE_LOGINS_H

#include "store/store.h"

/* Takes the line of a login name out, if there is one: a name that somebody gets must not come with
 * the password of who had it before. */
enum store_result logins_remove(struct store *store, struct text login);

#endif
