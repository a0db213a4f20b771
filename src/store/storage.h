/* The data stored for members in addition to their QSOs: previous states of QSOs, extra fields of
 * imported records, PoLo's records, QSL cards, and known records of other programs. One limit per
 * member covers all of it. The oldest history is dropped first; data that still does not fit is not
 * stored. */
#ifndef QSOSYNC_STORE_STORAGE_H
#define QSOSYNC_STORE_STORAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "database/result.h"

struct store;

#define STORAGE_MIB_DEFAULT 64 /* used by a member */

/* Bytes, each row of a table with an amount for itself. */
struct storage {
    int64_t history, leftovers, polo, cards, known;
};
int64_t storage_sum(const struct storage *storage);

/* How many bytes a member may have. */
void store_set_storage(struct store *store, int64_t bytes);
int64_t store_storage_max(const struct store *store);

enum store_result store_read_storage(struct store *store, int64_t member_id, struct storage *out);

/* Calls visit for at most `limit` members who use storage, the largest amounts first. */
typedef void storage_visitor(void *context, struct text callsign, const struct storage *storage);
enum store_result store_list_storage(struct store *store, int64_t limit, storage_visitor *visit,
                                     void *context);

/* Bytes that rows count in addition to their content (schema/schema.sql). */
#define STORAGE_OF_LEFTOVERS 30
#define STORAGE_OF_CARD 40
#define STORAGE_OF_POLO 100
#define STORAGE_OF_RECORD 100
#define STORAGE_OF_ID 60

#endif
