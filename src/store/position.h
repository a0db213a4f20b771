/* Defines a place in a member's log. */
#ifndef QSOSYNC_STORE_POSITION_H
#define QSOSYNC_STORE_POSITION_H

#include <stdint.h>

/* The place after a QSO in the order of /logs; all zero: before the first QSO. */
struct position {
    int64_t synced_at_ms;
    int64_t id;
};

#endif
