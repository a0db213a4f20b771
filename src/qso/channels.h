/* The channels of PMR446 (EN 303 405): 12.5 kHz each, side by side from 446 MHz. */
#ifndef QSOSYNC_QSO_CHANNELS_H
#define QSOSYNC_QSO_CHANNELS_H

#include <stdint.h>

#define CHANNELS_STEP_HZ INT64_C(12500)
#define CHANNELS_LOW_HZ INT64_C(446000000) /* the edges of the first and the last one */
#define CHANNELS_HIGH_HZ INT64_C(446200000)

/* The centre of a channel, which are numbered from 1: 446.00625 MHz of the first. The field table
 * says which there are. */
static inline int64_t channels_centre_hz(int64_t channel)
{
    return CHANNELS_LOW_HZ + CHANNELS_STEP_HZ / 2 + (channel - 1) * CHANNELS_STEP_HZ;
}

#endif
