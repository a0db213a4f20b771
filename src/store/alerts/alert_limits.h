/* Limits on what a member's alerts may store. Lengths are in bytes, except those of names. */
#ifndef QSOSYNC_STORE_ALERT_LIMITS_H
#define QSOSYNC_STORE_ALERT_LIMITS_H

#define ALERT_RULES_MAX 20
#define ALERT_WAYS_MAX 10
#define ALERT_MUTES_MAX 100
#define ALERT_NAME_MAX 80       /* characters in the name of a rule or a way */
#define ALERT_CALLSIGNS_MAX 400 /* callsigns of a rule, with their spaces */
#define ALERT_CALLSIGNS_COUNT 40
#define ALERT_ADDRESS_MAX 1000
#define ALERT_HEADERS_MAX 1000
#define ALERT_HEADERS_COUNT 6
#define ALERT_BODY_MAX 1500
#define ALERT_ZONE_MAX 40
#define ALERT_OFFSETS_MAX 800
#define ALERT_PAUSE_MAX 1440 /* minutes between two alerts about one station */
#define ALERT_PAUSE_DEFAULT 60
#define ALERT_HOURLY_MAX 60 /* alerts per member and hour */
#define ALERT_HOURLY_DEFAULT 5
#define ALERT_LISTED_MAX 50 /* alerts in a member's list */
#define ALERT_KEPT_DAYS 7

#endif
