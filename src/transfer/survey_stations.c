/* Counts the callsigns of other stations. Maps only records that can contain such a callsign,
 * because mapping is slow. */
#include "transfer/survey_stations.h"

#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "transfer/survey.h"

static const char *const station_fields[] = {"STATION_CALLSIGN", "OPERATOR"};

/* Returns whether the record can have another station's callsign. Other records need not be
 * mapped. */
static bool may_be_other(const struct record *record, const struct stations *stations)
{
    for (size_t i = 0; i < record->count; i++)
        for (size_t j = 0; j < sizeof station_fields / sizeof *station_fields; j++)
            if (text_equals_ignoring_case(record->fields[i].name, station_fields[j]) &&
                !stations_is_own(stations, record->fields[i].value))
                return true;
    return false;
}

void survey_stations(struct text file, struct text member, struct stations *stations)
{
    struct arena own = {0}, of_record = {0};
    struct record record;
    struct reader_fault fault;
    struct mapped mapped;
    struct reader *reader = reader_create(file, &own);
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;) {
        if (event == READER_RECORD && may_be_other(&record, stations) &&
            survey_is_qso(member, &record, &of_record, &mapped))
            stations_take(stations, &mapped);
        arena_reset(&of_record);
    }
    arena_free(&of_record);
    arena_free(&own);
}
