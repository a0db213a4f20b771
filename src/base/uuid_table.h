/* A number for each of many UUIDs. Its memory grows with them, 27 to 53 bytes each. */
#ifndef QSOSYNC_BASE_UUID_TABLE_H
#define QSOSYNC_BASE_UUID_TABLE_H

#include <stdint.h>

#include "base/uuid.h"

struct uuid_table;

/* Never returns NULL; uuid_table_free frees it. */
struct uuid_table *uuid_table_create(void);
void uuid_table_free(struct uuid_table *table); /* NULL is allowed */

/* 0: none was put there. Numbers that are put are not 0. */
uint32_t uuid_table_get(const struct uuid_table *table, const unsigned char uuid[UUID_BYTES]);
void uuid_table_put(struct uuid_table *table, const unsigned char uuid[UUID_BYTES],
                    uint32_t number);

/* Calls visit for each UUID that has a number, in any order. */
void uuid_table_list(const struct uuid_table *table,
                     void (*visit)(void *context, const unsigned char uuid[UUID_BYTES],
                                   uint32_t number),
                     void *context);

#endif
