/* Compares secrets. */
#ifndef QSOSYNC_BASE_SECRET_H
#define QSOSYNC_BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether two secrets are equal. The comparison takes constant time, so that the time does
 * not reveal the position of the first difference. */
bool secret_equals(const void *one, const void *other, size_t length);

#endif
