/* Reports a fault in a target by aborting, which the fuzzer and the replay program detect. */
#ifndef QSOSYNC_FUZZ_DEMAND_H
#define QSOSYNC_FUZZ_DEMAND_H

#include <stdlib.h>

static inline void demand(int truth)
{
    if (!truth)
        abort();
}

#endif
