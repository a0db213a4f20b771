/* Finds rules by what they name: a callsign or its prefixes in alert_names, or a subject and a
 * band in alert_rules. So a spot reads only the rules that could match. Whether a member's log
 * lacks something is decided last, by the same counts as on the pages (qso/awards.h). */
#include "store/alerts/alert_match.h"

#include <string.h>

#include "base/datetime.h"
#include "qso/award_needed.h"
#include "store/alerts/alert_hours.h"
#include "store/alerts/alert_rules.h"
#include "store/log/log.h"
#include "store/store.h"

/* A rule that names something about a spot, with its member's settings. */
struct candidate {
    struct alert_match match;
    int64_t subject, need, source, mode, from_minute, to_minute, days;
    int64_t quiet_from, quiet_to, muted_until_ms;
    struct text offsets;
    bool is_taken;
};

static const struct read_column candidate_columns[] = COLUMNS(
    COLUMN(candidate, match.member_id, "member_id"), COLUMN(candidate, match.rule, "name"),
    COLUMN(candidate, match.pause, "pause"),
    COLUMN_OR(candidate, match.hourly, "hourly", ALERT_HOURLY_DEFAULT),
    COLUMN(candidate, subject, "subject"), COLUMN(candidate, need, "need"),
    COLUMN(candidate, source, "source"), COLUMN_OR(candidate, mode, "mode", -1),
    COLUMN_OR(candidate, from_minute, "from_minute", -1),
    COLUMN_OR(candidate, to_minute, "to_minute", -1), COLUMN(candidate, days, "days"),
    COLUMN_OR(candidate, quiet_from, "quiet_from", -1),
    COLUMN_OR(candidate, quiet_to, "quiet_to", -1),
    COLUMN(candidate, muted_until_ms, "muted_until"), COLUMN(candidate, offsets, "offsets"));
ROW_READER(candidate_columns, STATEMENT_LIST_ALERT_RULES_OF_NAME);
ROW_READER(candidate_columns, STATEMENT_LIST_ALERT_RULES_OF_SUBJECT);

struct search {
    struct store *store;
    struct arena *arena;
    int64_t now_ms;
    const struct alert_spot *spot;
    struct match_callsign dx, spotter;
    struct candidate *items;
    size_t count, capacity;
};

static bool is_same_mode(int64_t wanted, int mode)
{
    const bool is_ssb = mode == MODE_SSB || mode == MODE_USB || mode == MODE_LSB;
    return wanted < 0 || wanted == mode || (wanted == MODE_SSB && is_ssb);
}

/* Decides everything that needs neither the log nor earlier alerts. */
static bool wants(const struct search *search, struct candidate *candidate)
{
    const struct spot *spot = &search->spot->spot;
    const bool is_from_network = spot->source.bytes != NULL;
    const struct alert_hour hour = alert_hour_of(candidate->offsets, search->now_ms);
    if (!is_same_mode(candidate->mode, spot->mode) ||
        (candidate->source == ALERT_FROM_MEMBERS && is_from_network) ||
        (candidate->source == ALERT_FROM_NETWORK && !is_from_network) ||
        !alert_is_between(hour.minute, candidate->from_minute, candidate->to_minute, true) ||
        !(candidate->days >> hour.weekday & 1))
        return false;
    if (candidate->muted_until_ms > search->now_ms)
        candidate->match.held = ALERT_HELD_BY_MUTE;
    else if (alert_is_between(hour.minute, candidate->quiet_from, candidate->quiet_to, false))
        candidate->match.held = ALERT_HELD_BY_QUIET;
    return true;
}

static enum store_result add_candidates(struct search *search, struct statement *list)
{
    enum store_result result = STORE_DONE;
    struct candidate candidate = {.match.spot = search->spot};
    while (database_next(search->store->database, list, &result)) {
        candidate.match.held = ALERT_NOT_HELD;
        database_read(list, candidate_columns, search->arena, &candidate);
        if (!wants(search, &candidate))
            continue;
        search->items = arena_grow(search->arena, search->items, search->count, &search->capacity,
                                   sizeof candidate);
        search->items[search->count++] = candidate;
    }
    return result;
}

#define BIND_SPOT(search)                                                                          \
    BIND("dx_key", match_text(&(search)->dx)),                                                     \
        BIND("spotter_key", match_text(&(search)->spotter)),                                       \
        BIND("spotter_id", (search)->spot->member_id)

static enum store_result add_named(struct search *search, const struct match_callsign *name)
{
    return add_candidates(search,
                          store_with(search->store, STATEMENT_LIST_ALERT_RULES_OF_NAME,
                                     BIND("name", match_text(name)),
                                     BIND("band", search->spot->spot.band), BIND_SPOT(search)));
}

/* Adds the rules with this callsign, or with one of its prefixes. */
static enum store_result add_by_name(struct search *search)
{
    struct match_callsign beginning;
    enum store_result result = add_named(search, &search->dx);
    for (size_t length = 1; length <= search->dx.length && length < MATCH_CALLSIGN_BYTES;
         length++) {
        beginning = search->dx;
        beginning.bytes[length] = '*';
        beginning.length = length + 1;
        THEN(result, add_named(search, &beginning));
    }
    return result;
}

static enum store_result add_by_subject(struct search *search)
{
    bool is_member = false;
    enum store_result result = store_has(search->store, &is_member, STATEMENT_FIND_ALERT_MEMBER,
                                         BIND("callsign_key", match_text(&search->dx)));
    for (int subject = is_member ? ALERT_MEMBERS : ALERT_DIVISION; subject < ALERT_SUBJECTS;
         subject++)
        for (int any_band = 0; any_band < 2; any_band++)
            THEN(result,
                 add_candidates(
                     search, store_with(search->store, STATEMENT_LIST_ALERT_RULES_OF_SUBJECT,
                                        BIND("subject", subject), BIND_SPOT(search),
                                        BIND_IF(!any_band, "rule_band", search->spot->spot.band))));
    return result;
}

static void count_qso(void *context, const struct qso *qso)
{
    awards_add(context, qso);
}

/* Returns whether the log lacks what the rule names. */
static bool is_needed(const struct candidate *candidate, const struct awards *awards)
{
    static const enum award_needed least[] = {[ALERT_NEED_ANYWHERE] = AWARD_NEW,
                                              [ALERT_NEED_ON_BAND] = AWARD_NEW_ON_BAND,
                                              [ALERT_NEED_IN_MODE] = AWARD_NEW_IN_MODE};
    enum award_needed found[AWARD_COUNTED];
    const struct spot *spot = &candidate->match.spot->spot;
    awards_find_needed(awards,
                       &(struct award_question){.callsign = spot->dx_callsign,
                                                .locator = spot->dx_locator,
                                                .band = (int)spot->band,
                                                .mode = spot->mode},
                       found);
    return found[candidate->subject - ALERT_DIVISION] >= least[candidate->need];
}

static bool is_award(const struct candidate *candidate)
{
    return candidate->subject >= ALERT_DIVISION;
}

/* Counts the member's log once for all their candidates, and drops those that it rules out. */
static enum store_result decide_by_log(struct search *search, size_t first)
{
    const int64_t member_id = search->items[first].match.member_id;
    struct arena arena = {0};
    struct awards awards;
    awards_begin(&awards, &arena);
    enum store_result result = store_count_whole_log(search->store, member_id, count_qso, &awards);
    for (size_t i = first; i < search->count; i++) {
        struct candidate *candidate = &search->items[i];
        if (candidate->match.member_id != member_id || candidate->is_taken || !is_award(candidate))
            continue;
        if (is_needed(candidate, &awards))
            candidate->subject = ALERT_CALLSIGNS; /* decided */
        else
            candidate->is_taken = true;
    }
    arena_free(&arena);
    return result;
}

static bool names_award(const struct candidate *candidate)
{
    struct award_names names;
    const struct spot *spot = &candidate->match.spot->spot;
    award_names_find(spot->dx_callsign, spot->dx_locator, &names);
    return names.of[candidate->subject - ALERT_DIVISION].length > 0;
}

/* Adds the match unless the member already has a match for this spot. */
static void take(struct search *search, size_t at, struct alert_matches *out)
{
    const struct alert_match *match = &search->items[at].match;
    for (size_t i = 0; i < at; i++)
        if (!search->items[i].is_taken && search->items[i].match.member_id == match->member_id &&
            search->items[i].match.spot == match->spot)
            return;
    out->items = arena_grow(out->arena, out->items, out->count, &out->capacity, sizeof *out->items);
    out->items[out->count++] = *match;
}

enum store_result alert_match_spots(struct store *store, const struct alert_spot *spots,
                                    size_t count, int64_t now_ms, struct alert_matches *out)
{
    struct search search = {.store = store, .arena = out->arena, .now_ms = now_ms};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < count && result == STORE_DONE; i++) {
        search.spot = &spots[i];
        match_normalise_callsign(spots[i].spot.dx_callsign, &search.dx);
        match_normalise_callsign(spots[i].spot.spotter, &search.spotter);
        if (search.dx.length == 0)
            continue;
        THEN(result, add_by_name(&search));
        THEN(result, add_by_subject(&search));
    }
    for (size_t i = 0; i < search.count; i++)
        if (is_award(&search.items[i]) && !names_award(&search.items[i]))
            search.items[i].is_taken = true;
    for (size_t i = 0; i < search.count; i++) {
        if (!search.items[i].is_taken && is_award(&search.items[i]))
            THEN(result, decide_by_log(&search, i));
        if (!search.items[i].is_taken)
            take(&search, i, out);
    }
    return result;
}
