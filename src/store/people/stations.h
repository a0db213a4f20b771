/* Lists stations, and manages their pages. */
#ifndef QSOSYNC_STORE_STATIONS_H
#define QSOSYNC_STORE_STATIONS_H

#include "store/people/members.h"

/* Calls visit for each station. The texts are valid during the call to visit. */
enum store_result store_list_stations(struct store *store, member_visitor *visit, void *context);

/* Switches the station's page on or off. Returns STORE_NONE if the station does not exist. Runs its
 * own transaction. */
enum store_result store_set_log_page(struct store *store, int64_t station_id, bool on);

/* Finds the active station with this page, as an identity without a person: id, callsign, locator,
 * revision and log epoch. The callsign can have any spelling, with or without its slash. Returns
 * STORE_NONE if no active station has the callsign, or if its page is off. */
enum store_result store_find_log_page(struct store *store, struct arena *arena,
                                      struct text callsign, struct identity *out);

/* Calls visit with the callsign of each active station whose page is on. The callsign is valid
 * during the call to visit. */
typedef void callsign_visitor(void *context, struct text callsign);
enum store_result store_list_log_pages(struct store *store, callsign_visitor *visit, void *context);

/* Receives the band, the mode (-1: unknown) and the beginning of the day of QSOs with this station.
 * Each combination is passed once, in the order of the days. */
typedef void worked_visitor(void *context, int64_t band, int64_t mode, int64_t day_ms);
enum store_result store_list_worked(struct store *store, int64_t member_id, struct text callsign,
                                    worked_visitor *visit, void *context);

#endif
