/* Computes a keyed hash that nobody can compute without the logbook's secret. */
#ifndef QSOSYNC_STORE_SEAL_H
#define QSOSYNC_STORE_SEAL_H

#include <stdint.h>

#include "base/api_key.h"
#include "database/result.h"

struct store;

/* Computes the keyed hash of the bytes (NULL: zeros) and the number. Two kinds of seal never have
 * the same number: the number is either the time of a challenge, which is positive, or the negated
 * id of a cookie's member. */
enum store_result store_seal(struct store *store, const unsigned char *bytes, int64_t number,
                             unsigned char out[API_KEY_FINGERPRINT_BYTES]);

#endif
