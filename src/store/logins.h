/* For other files of the store: the password file, inside an open write transaction. */
#ifndef QSOSYNC_STORE_LOGINS_H
#define QSOSYNC_STORE_LOGINS_H

#include "store/store.h"

/* Removes the line of a login name, if there is one: a member who gets the name must not get the
 * password of the member who had it before. */
enum store_result logins_remove(struct store *store, struct text login);

#endif
