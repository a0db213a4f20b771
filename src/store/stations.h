/* Stations: members that others operate. Who may, and until when; who made which QSO; and what a
 * station's page tells everybody. */
#ifndef QSOSYNC_STORE_STATIONS_H
#define QSOSYNC_STORE_STATIONS_H

#include "store/credentials.h"

/* -- Who may operate it ------------------------------------------------------------------------ */

struct grant {
    int64_t station_id, member_id;
    struct text station, member; /* callsigns */
    int64_t granted_at_ms;
    int64_t until_ms; /* 0: no end is set */
    int64_t ended_ms; /* when it ended; 0: it holds */
};
typedef void grant_visitor(void *context, const struct grant *grant);

/* Lets a member operate a station, up to until_ms (0: without an end); a grant that holds gets the
 * new end. STORE_REFUSED: the one is no station, or the other one is. Runs its own transaction. */
enum store_result store_grant(struct store *store, int64_t station_id, int64_t member_id,
                              int64_t until_ms);

/* Ends a grant, with the keys and tokens that the member made for the station: after this nothing
 * is written by them, or by a session of the member. STORE_NONE: there is no grant that holds. Runs
 * its own transaction. */
enum store_result store_end_grant(struct store *store, int64_t station_id, int64_t member_id);

/* All grants of a station, or to a member, ended ones included; the texts are valid during the
 * call. */
enum store_result store_list_grants_of_station(struct store *store, int64_t station_id,
                                               int64_t now_ms, grant_visitor *visit, void *context);
enum store_result store_list_grants_of_member(struct store *store, int64_t member_id,
                                              int64_t now_ms, grant_visitor *visit, void *context);

/* -- Stations ---------------------------------------------------------------------------------- */

struct station {
    int64_t id;
    struct text callsign, locator;
    bool active;
    bool has_page; /* /log/STATION */
    int64_t qso_count;
};
typedef void station_visitor(void *context, const struct station *station);

/* The texts are valid during the call. */
enum store_result store_list_stations(struct store *store, station_visitor *visit, void *context);

/* The texts are in the arena, and QSOs are not counted. STORE_NONE: this member is no station. */
enum store_result store_find_station(struct store *store, struct arena *arena, int64_t id,
                                     struct station *out);

/* Switches the station's page on or off. STORE_NONE: there is no such station. Runs its own
 * transaction. */
enum store_result store_set_log_page(struct store *store, int64_t station_id, bool on);

/* The active station whose page this is, as identity of nobody: id, callsign, locator and revision.
 * The callsign may have any spelling, and no stroke. STORE_NONE: there is none, or it is off. */
enum store_result store_find_log_page(struct store *store, struct arena *arena,
                                      struct text callsign, struct identity *out);

/* Band, mode (-1: not known) and time of each QSO with this station, by time slots. */
typedef void worked_visitor(void *context, int64_t band, int64_t mode, int64_t qso_at_ms);
enum store_result store_list_worked(struct store *store, int64_t member_id, struct text callsign,
                                    worked_visitor *visit, void *context);

/* -- Who made a QSO ---------------------------------------------------------------------------- */

/* Callsign of the operator who made the QSO, in the arena; no text: not known. */
enum store_result store_find_maker(struct store *store, struct arena *arena, int64_t member_id,
                                   int64_t qso_id, struct text *out);

typedef void maker_visitor(void *context, int64_t qso_id, struct text maker);
enum store_result store_list_makers(struct store *store, int64_t member_id, maker_visitor *visit,
                                    void *context);

/* -- For other files of the store and of recovery ---------------------------------------------- */

struct transaction;

/* After a QSO was created; no text: nobody is noted. */
enum store_result stations_note_maker(struct transaction *transaction, int64_t member_id,
                                      int64_t qso_id, struct text maker);

/* Removes at most `limit` makers of a log; *last: none is left. */
enum store_result stations_remove_makers(struct transaction *transaction, int64_t member_id,
                                         int64_t limit, bool *last);

/* Before a member is deleted: what he made for stations ends. */
enum store_result stations_end_member(struct transaction *transaction, int64_t member_id);

#endif
