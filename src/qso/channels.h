/* Finds the frequencies of CB channels. Plans number the channels differently: channel 41 is on
 * 26.565 MHz in Germany, and on 27.415 MHz on radios for export. The plans are in
 * schema/channels.tsv. tuning.c reads the texts in which people write channels. */
#ifndef QSOSYNC_QSO_CHANNELS_H
#define QSOSYNC_QSO_CHANNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct channel_plan {
    const char *code; /* short name, such as de */
    const char *name; /* name in English */
    const char *iso;  /* the country whose members probably use the plan; empty: none */
    /* codes of the plans that can define a number from such a member, the member's own plan
     * first */
    const char *possible;
};

#define CHANNEL_NAME_SIZE 5 /* bytes in a name such as A40 or 19A, with a NUL */

struct channel {
    const struct channel_plan *plan; /* NULL: a channel with an A, which no plan defines */
    char name[CHANNEL_NAME_SIZE];
    int64_t khz; /* frequency, rounded */
};

/* Returns the plan with this code, in upper or lower case. Returns NULL if no plan has the code. */
const struct channel_plan *channels_find_plan(struct text code);

/* Returns the plan at this place in the list of all plans; NULL at the end of the list. */
const struct channel_plan *channels_plan_at(size_t place);

/* Returns the codes of the plans that can define a number from the owner of this callsign, the most
 * probable plan first. */
const char *channels_plans_of(struct text callsign);

/* Finds the channel with this letter (0: none) and number. If `plan` is NULL, finds a channel with
 * an A in its name. In a plan with lettered grids, a number without a letter is in grid C. */
bool channels_find(const struct channel_plan *plan, char letter, int64_t number,
                   struct channel *out);

#endif
