/* Checks and stores the club's details, and the service's own address. */
#ifndef QSOSYNC_STORE_CLUB_H
#define QSOSYNC_STORE_CLUB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* The fields, in the order in which they are printed. */
enum club_field {
    CLUB_NAME,
    CLUB_TEXT,
    CLUB_LINK,
    CLUB_CONTACT,
    CLUB_LEGAL,
    CLUB_ADDRESS,
    CLUB_NUMBERS,  /* whether the front page shows the number of members and QSOs */
    CLUB_ACCENT,   /* accent colour of the pages */
    CLUB_CLUSTERS, /* HOST:PORT of one or two DX clusters that send spots */
    CLUB_STATION,  /* callsign with which the service logs in to the clusters */
    CLUB_FILTER,   /* command that is sent to the clusters */
    CLUB_PICTURES, /* whether the pictures of cards are shown */
    CLUB_SANDBOX,  /* whether authors of programs may create sandboxes */
    CLUB_ALERTS,   /* whether alerts are sent */
    CLUB_FIELDS,
};

/* The rules for a field, which has the same name in JSON, in the command and in the database. */
struct club_field_row {
    const char *name;
    int64_t maximum; /* maximum length in code points, or in bytes if is_sent is set */
    bool is_sent;    /* whether the field is for the connections to other clusters */
    const char
        *refusal;   /* message of club_check_value for a value that is too long or not allowed */
    bool is_url;    /* whether the value must begin with http:// or https:// */
    bool has_lines; /* whether the value may contain line ends */
    bool is_hidden; /* whether the field is shown only if it is set */
    /* allowed texts, as in "on or off", with the default first; NULL: any text */
    const char *choices;
};
extern const struct club_field_row club_fields[CLUB_FIELDS];

struct club {
    struct text values[CLUB_FIELDS]; /* no text: not set */
    /* whether the command set CLUB_CLUSTERS, which may therefore be private addresses; only read */
    bool clusters_by_command;
};

/* Reads the settings. The texts are in the arena. */
enum store_result store_read_club(struct store *store, struct arena *arena, struct club *out);

/* Sets the fields whose `given` is true; a value without text removes the field. The caller has
 * checked the values with club_check_value. Clusters count as set by the command, unless a
 * signed-in operator sets them. If an operator sets the same clusters again, they still count as
 * set by the command. Runs its own transaction. */
enum store_result store_set_club(struct store *store, const struct club *club,
                                 const bool given[CLUB_FIELDS]);

/* Returns whether the club allows sandboxes for authors of programs (worker/trial.h). */
bool club_allows_trials(const struct club *club);

/* Returns whether all hosts in a value of CLUB_CLUSTERS can be on the public Internet, judging by
 * their names or addresses. */
bool club_has_public_clusters(struct text clusters);

/* Checks and normalises a value. Returns NULL if the value is valid. Otherwise, returns a phrase
 * that follows the field's name: "must be ...". Trims white space; an empty value becomes no text.
 * Cuts the service's address before "/api/v1", and removes its query, its fragment and its final
 * slashes. */
const char *club_check_value(enum club_field field, struct text *value);

#endif
