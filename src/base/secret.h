/* Compares secrets. */
#ifndef QSOSYNC_BASE_SECRET_H
#define QSOSYNC_BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Compares in constant time: the time does not reveal the first difference. */
bool secret_equals(const void *one, const void *other, size_t length);

#endif
