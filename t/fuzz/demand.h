/* Reports a fault in a target. The fuzzer and the replay program detect the abort. */
#ifndef QSOSYNC_FUZZ_DEMAND_H
#define QSOSYNC_FUZZ_DEMAND_H

#include <stdlib.h>

static inline void demand(int truth)
{
    if (!truth)
        abort();
}

#endif
