/* Stores the rules of members' alerts: "tell me when this station is spotted". */
#ifndef QSOSYNC_STORE_ALERT_RULES_H
#define QSOSYNC_STORE_ALERT_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "database/result.h"
#include "store/alerts/alert_limits.h"

struct store;

/* These numbers are stored, so they never change. */
enum alert_subject {
    ALERT_CALLSIGNS, /* one of the rule's callsigns and prefixes */
    ALERT_MEMBERS,   /* a member of this club */
    ALERT_DIVISION,  /* a division, a square or a special station that the log lacks */
    ALERT_SQUARE,
    ALERT_SPECIAL,
    ALERT_SUBJECTS
};
enum alert_need { ALERT_NEED_ANYWHERE, ALERT_NEED_ON_BAND, ALERT_NEED_IN_MODE, ALERT_NEEDS };
enum alert_source { ALERT_FROM_ALL, ALERT_FROM_MEMBERS, ALERT_FROM_NETWORK, ALERT_SOURCES };

#define ALERT_ALL_DAYS 127
#define ALERT_DAY_MINUTES 1440

struct alert_rule {
    int64_t id;       /* 0: a new rule */
    struct text name; /* the rule in the member's words; part of each alert */
    int64_t subject;  /* enum alert_subject */
    /* for ALERT_CALLSIGNS: callsigns separated by spaces. A final * makes a callsign a prefix */
    struct text callsigns;
    int64_t need;                   /* enum alert_need; for the last three subjects */
    int64_t source;                 /* enum alert_source */
    int64_t band, mode;             /* -1: any */
    int64_t from_minute, to_minute; /* minutes of the member's day; -1: the whole day */
    int64_t days;                   /* days of the week: bit 0 Monday to bit 6 Sunday */
    int64_t pause;                  /* minutes between two alerts about one station */
    bool is_on;
};
typedef void alert_rule_visitor(void *context, const struct alert_rule *rule);

/* Returns the name of the first member of the rule whose value is not valid, or NULL. */
const char *alert_find_invalid_rule(const struct alert_rule *rule);

/* Calls visit for each of the member's rules, in the order in which they were added. The texts are
 * valid during the call. */
enum store_result store_list_alert_rules(struct store *store, int64_t member_id,
                                         alert_rule_visitor *visit, void *context);

/* Adds the rule if its id is 0, and otherwise replaces the member's rule with this id. *id receives
 * the rule's id. Returns STORE_NONE if the member has no such rule, and STORE_REFUSED if the member
 * already has ALERT_RULES_MAX rules. The caller has checked the rule. Runs its own transaction. */
enum store_result store_save_alert_rule(struct store *store, int64_t member_id,
                                        const struct alert_rule *rule, int64_t *id);

/* Switches a rule on or off. Returns STORE_NONE if the member has no such rule. Runs its own
 * transaction. */
enum store_result store_switch_alert_rule(struct store *store, int64_t member_id, int64_t id,
                                          bool is_on);

/* Deletes a rule. Returns STORE_NONE if the member has no such rule. Runs its own transaction. */
enum store_result store_delete_alert_rule(struct store *store, int64_t member_id, int64_t id);

#endif
