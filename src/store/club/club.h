/* The club's texts about itself, and the service's own address. */
#ifndef QSOSYNC_STORE_CLUB_H
#define QSOSYNC_STORE_CLUB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* The fields, in the order of the columns and of the command's options. */
enum club_field {
    CLUB_NAME,
    CLUB_TEXT,
    CLUB_LINK,
    CLUB_CONTACT,
    CLUB_LEGAL,
    CLUB_ADDRESS,
    CLUB_NUMBERS,  /* whether the front page shows the number of members and QSOs */
    CLUB_ACCENT,   /* the accent colour of the pages */
    CLUB_CLUSTERS, /* HOST:PORT of one or two DX clusters that send spots */
    CLUB_STATION,  /* the callsign that logs in to the clusters */
    CLUB_FILTER,   /* a command for the clusters */
    CLUB_PICTURES, /* whether cards are shown with their pictures */
    CLUB_FIELDS,
};

/* The rules of a field. JSON, the command and the database use its name. */
struct club_field_row {
    const char *name;
    int64_t maximum;     /* code points, or bytes if is_sent */
    bool is_sent;        /* to other clusters */
    const char *refusal; /* message of club_judge for a value that is too long */
    bool is_url;         /* http:// or https:// */
    bool has_lines;      /* may contain line ends */
    bool is_hidden;      /* shown only if it is set */
    const char *choices; /* "on or off": the allowed texts, the default first; NULL: any */
};
extern const struct club_field_row club_fields[CLUB_FIELDS];

struct club {
    struct text values[CLUB_FIELDS]; /* no text: not set */
    bool clusters_by_command; /* read only: the command set CLUB_CLUSTERS, so it may be private */
};

/* Reads the settings; texts are in the arena. */
enum store_result store_read_club(struct store *store, struct arena *arena, struct club *out);

/* Sets the fields whose `given` is true; no text removes a field. The caller has checked the values
 * with club_judge. Clusters count as set by the command unless a signed-in operator sets them;
 * setting the same clusters again changes nothing. Runs its own transaction. */
enum store_result store_set_club(struct store *store, const struct club *club,
                                 const bool given[CLUB_FIELDS]);

/* Returns whether, by their names or addresses, all hosts of a value of CLUB_CLUSTERS may be on the
 * public Internet. */
bool club_has_public_clusters(struct text clusters);

/* Checks and normalises a value. Returns NULL, or the fault as a phrase that follows the field's
 * name: "must be ...". Trims white space; an empty value becomes no text. Cuts an address before
 * "/api/v1", and removes its query, its fragment and the slashes at its end. */
const char *club_judge(enum club_field field, struct text *value);

#endif
