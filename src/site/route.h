/* What a route of the site is: one constant row with everything that the router needs to know, and
 * a function that answers. */
#ifndef QSOSYNC_SITE_ROUTE_H
#define QSOSYNC_SITE_ROUTE_H

#include "base/arena.h"
#include "http/error.h"
#include "http/request.h"
#include "http/response.h"
#include "store/credentials.h"
#include "store/members.h"

/* One request on its way through its route. */
struct exchange {
    const struct route *route;
    struct request *request;
    struct response *response;
    struct arena *arena;
    struct store *store;
    struct member member;     /* filled for ACCESS_MEMBER */
    struct identity identity; /* the same, or the member of an upload token */
    int64_t token_number;     /* an upload token that was used; 0: none */
    int status;               /* of success: the row's, unless the answer sets another one */
    const char
        *file_name; /* a browser saves the answer as a file of this name; NULL: it shows it */
};

enum route_access {
    ACCESS_PUBLIC,
    ACCESS_UPLOADS, /* while the upload door is open; the token is the route's to look up */
    ACCESS_MEMBER,  /* whom the front server has logged in */
};

enum route_use {
    ROUTE_USES_NOTHING,  /* answers with or without a database */
    ROUTE_USES_SNAPSHOT, /* answers inside a read transaction */
    ROUTE_USES_STORE,    /* opens transactions of its own */
};

struct route {
    enum method method;
    const char *path; /* "/cluster/spots/{band}" */
    enum route_access access;
    enum route_use use;
    bool is_tagged; /* the router makes an entity tag of the body, and answers If-None-Match */
    int status;     /* of success */
    /* Appends the body, and returns NULL; or returns the error to answer with. Sends nothing. */
    const struct error *(*answer)(struct exchange *exchange);
};

extern const struct route route_front_page;
extern const struct route route_health;
extern const struct route route_spots;
extern const struct route route_spots_page;
extern const struct route route_spots_page_of_band;
extern const struct route route_spots_of_band;
extern const struct route route_spot_near;
extern const struct route route_spot_statistics;

extern const struct route route_upload_auth;
extern const struct route route_upload_station_info;
extern const struct route route_upload_radio;
extern const struct route route_upload_qso;
extern const struct route route_upload_qso_dry;
extern const struct route route_profile_me;
extern const struct route route_profile_keys;
extern const struct route route_profile_add_key;
extern const struct route route_profile_revoke_key;
extern const struct route route_profile_tokens;
extern const struct route route_profile_add_token;
extern const struct route route_profile_revoke_token;
extern const struct route route_profile_qsos;
extern const struct route route_profile_near_matches;
extern const struct route route_profile_statistics;
extern const struct route route_profile_map;
extern const struct route route_profile_export;
extern const struct route route_profile_everything;
extern const struct route route_profile_import;
extern const struct route route_profile_delete_log;
extern const struct route route_profile_password;

#endif
