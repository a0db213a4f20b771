/* Comparison of secrets. */
#ifndef QSOSYNC_BASE_SECRET_H
#define QSOSYNC_BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Compares two secrets in constant time, so that the time does not reveal where they first
 * differ. */
bool secret_equals(const void *one, const void *other, size_t length);

#endif
