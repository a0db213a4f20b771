/* Counts a file's station callsigns that are not the log's own, before the records are saved. */
#ifndef QSOSYNC_TRANSFER_SURVEY_STATIONS_H
#define QSOSYNC_TRANSFER_SURVEY_STATIONS_H

#include "base/text.h"
#include "transfer/stations.h"

/* Counts the station callsigns that are not the log's own, in records that would become QSOs. */
void survey_stations(struct text file, struct text member, struct stations *stations);

#endif
