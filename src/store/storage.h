/* Reads the size of the data stored for members in addition to their QSOs: previous states of QSOs,
 * extra fields of imported records, PoLo's records, QSL cards, and known records from other
 * programs. One limit per member covers all of this data. The oldest history is removed first; data
 * that still does not fit is not stored. */
#ifndef QSOSYNC_STORE_STORAGE_H
#define QSOSYNC_STORE_STORAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "database/result.h"

struct store;

#define STORAGE_MIB_DEFAULT 64 /* limit per member */

/* A member's bytes of each kind, including a fixed number of bytes per row. */
struct storage {
    int64_t history, leftovers, polo, cards, known;
};

/* Returns the sum of all bytes. */
int64_t storage_sum(const struct storage *storage);

/* Sets the maximum number of bytes per member. */
void store_set_storage(struct store *store, int64_t bytes);

/* Returns the maximum number of bytes per member. */
int64_t store_storage_max(const struct store *store);

/* Reads how much storage a member uses, inside a read transaction or a write transaction. */
enum store_result store_read_storage(struct store *store, int64_t member_id, struct storage *out);

typedef void storage_visitor(void *context, struct text callsign, const struct storage *storage);

/* Calls visit for at most `limit` members who use storage, the largest amounts first. The callsign
 * is valid during the call to visit. */
enum store_result store_list_storage(struct store *store, int64_t limit, storage_visitor *visit,
                                     void *context);

/* The number of bytes counted for a row in addition to its content (schema/schema.sql). */
#define STORAGE_OF_LEFTOVERS 30
#define STORAGE_OF_CARD 40
#define STORAGE_OF_POLO 100
#define STORAGE_OF_RECORD 100
#define STORAGE_OF_ID 60

#endif
