/* Looks up channels in the tables that the build creates from schema/channels.tsv. */
#include "qso/channels.h"

#include <string.h>

#include "base/format.h"
#include "qso/divisions.h"

static const struct channel_plan plans[] = {
#define PLAN(code, name, iso, possible) {code, name, iso, possible},
#define RUN(plan, letter, after, first, last, hz)
#include "schema/channel_rows.inc"
#undef PLAN
#undef RUN
};

struct run {
    const char *plan;
    const char *letter, *after; /* texts in a channel's name, before and after the number */
    int first, last;
    int64_t hz; /* frequency of the first channel; each further channel is STEP_HZ higher */
};
static const struct run runs[] = {
#define PLAN(code, name, iso, possible)
#define RUN(plan, letter, after, first, last, hz) {plan, letter, after, first, last, hz},
#include "schema/channel_rows.inc"
#undef PLAN
#undef RUN
};

#define STEP_HZ 10000
#define GRID_OF_NUMBERS 'C'

const struct channel_plan *channels_find_plan(struct text code)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (text_equals_ignoring_case(code, plans[i].code))
            return &plans[i];
    return NULL;
}

const struct channel_plan *channels_plan_at(size_t place)
{
    return place < sizeof plans / sizeof *plans ? &plans[place] : NULL;
}

const char *channels_plans_of(struct text callsign)
{
    const struct division *division = divisions_find(callsign);
    for (size_t i = 0; division && i < sizeof plans / sizeof *plans; i++)
        if (plans[i].iso[0] && strcmp(plans[i].iso, division->iso) == 0)
            return plans[i].possible;
    return plans[0].possible;
}

static bool has(const struct run *run, const char *plan, char letter, int64_t number)
{
    const char grid = run->letter[0];
    return strcmp(run->plan, plan) == 0 && number >= run->first && number <= run->last &&
           (grid == letter || (!letter && grid == GRID_OF_NUMBERS));
}

bool channels_find(const struct channel_plan *plan, char letter, int64_t number,
                   struct channel *out)
{
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const struct run *run = &runs[i];
        if (!has(run, plan ? plan->code : "a", letter, number))
            continue;
        const int64_t hz = run->hz + (number - run->first) * STEP_HZ;
        out->plan = plan;
        out->khz = (hz + 500) / 1000;
        format_cut(out->name, sizeof out->name, "%s%d%s", run->letter, (int)number, run->after);
        return true;
    }
    return false;
}
