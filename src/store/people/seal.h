/* Computes a keyed hash that nobody can compute without the logbook's secret. */
#ifndef QSOSYNC_STORE_SEAL_H
#define QSOSYNC_STORE_SEAL_H

#include <stdint.h>

#include "base/api_key.h"
#include "database/result.h"

struct store;

/* Computes the keyed hash of the bytes (NULL: zeros) and the number. Seals of different kinds never
 * have the same number. A challenge's number is its time, which is positive. A cookie's number is
 * the negated id of its member. */
enum store_result store_seal(struct store *store, const unsigned char *bytes, int64_t number,
                             unsigned char out[API_KEY_FINGERPRINT_BYTES]);

#endif
