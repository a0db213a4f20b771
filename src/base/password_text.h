/* A password in the form in which it is judged and hashed. For these two files alone. */
#ifndef QSOSYNC_BASE_PASSWORD_TEXT_H
#define QSOSYNC_BASE_PASSWORD_TEXT_H

#include "base/text.h"

/* In NFC, with a NUL behind it; NULL where it is no UTF-8, or has a NUL. To be given back with its
 * length. */
char *password_normalise(struct text password, size_t *length);
void password_forget(char *normal, size_t length);

#endif
