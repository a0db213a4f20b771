/* A list of ids that grows. All zero: empty. */
#ifndef QSOSYNC_RECOVERY_ID_LIST_H
#define QSOSYNC_RECOVERY_ID_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct id_list {
    int64_t *ids; /* the owner of the list frees them */
    size_t count, capacity;
};

static inline void id_list_add(struct id_list *list, int64_t id)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 64;
        list->ids = memory_resize(list->ids, list->capacity * sizeof *list->ids);
    }
    list->ids[list->count++] = id;
}

#endif
