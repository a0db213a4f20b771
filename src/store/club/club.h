/* The club's texts about itself, and the service's own address. */
#ifndef QSOSYNC_STORE_CLUB_H
#define QSOSYNC_STORE_CLUB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* In the order of the columns, and of the command's options. */
enum club_field {
    CLUB_NAME,
    CLUB_TEXT,
    CLUB_LINK,
    CLUB_CONTACT,
    CLUB_LEGAL,
    CLUB_ADDRESS,
    CLUB_NUMBERS,  /* whether the front page tells how many members and QSOs there are */
    CLUB_ACCENT,   /* the accent colour of the pages */
    CLUB_CLUSTERS, /* HOST:PORT of one or two DX clusters that spots are read from */
    CLUB_STATION,  /* the callsign that logs in there */
    CLUB_FILTER,   /* a command for them */
    CLUB_PICTURES, /* whether cards are shown with their pictures */
    CLUB_FIELDS,
};

/* Its name in JSON, among the options and among the columns, and its bound, in code points unless
 * it is sent. */
struct club_field_row {
    const char *name;
    int64_t maximum;
    bool is_sent;        /* to other clusters: the bound is in bytes */
    const char *refusal; /* why club_judge rejects a value */
    bool is_url;         /* http:// or https:// */
    bool has_lines;      /* may hold line ends */
    bool is_hidden;      /* not shown unless it is set */
    const char *choices; /* "on or off": no other text, and no text is the first; NULL: any */
};
extern const struct club_field_row club_fields[CLUB_FIELDS];

struct club {
    struct text values[CLUB_FIELDS]; /* no text: not set */
    bool
        clusters_by_command; /* read only: the command set them, so they may be private addresses */
};

/* The texts are in the arena. */
enum store_result store_read_club(struct store *store, struct arena *arena, struct club *out);

/* Sets the fields whose `given` is true; no text removes a field. Clusters count as set by the
 * command unless an operator is signed in; setting the same clusters again keeps this. The caller
 * has checked them with club_judge. Runs its own transaction. */
enum store_result store_set_club(struct store *store, const struct club *club,
                                 const bool given[CLUB_FIELDS]);

/* Whether the hosts of such a value may all be on the public Internet, as far as they tell. */
bool club_has_public_clusters(struct text clusters);

/* Returns NULL, or why the value is invalid, as a phrase that follows its name: "must be ...".
 * Trims white space; an empty value then becomes no text. An address is cut before "/api/v1", and
 * loses its query, its fragment and the slashes at its end. */
const char *club_judge(enum club_field field, struct text *value);

#endif
