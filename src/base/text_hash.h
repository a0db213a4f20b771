/* A hash without a key, for entity tags and similar comparisons. */
#ifndef QSOSYNC_BASE_TEXT_HASH_H
#define QSOSYNC_BASE_TEXT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Computes 64-bit FNV-1a over the bytes, continuing from `hash`, which is TEXT_HASH_START at first.
 * Do not use this hash for secrets. Tables whose keys are chosen by clients use keyed_hash.h. */
#define TEXT_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t text_hash(uint64_t hash, const void *bytes, size_t length);

#endif
