/* The field table: one row for each field of a QSO, data only; the small matchers are the patterns
 * of the rows that name them. Validation, rendering, storage, ADIF and the published schema walk
 * it. How a value is checked is left to values.c. */
#include "qso/fields.h"

#include <stddef.h>
#include <string.h>

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/* ^\d{2,3}\.\d$ */
static bool matches_ctcss_tone(struct text text)
{
    if (text.length < 4 || text.length > 5 || text.bytes[text.length - 2] != '.')
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (i != text.length - 2 && !is_digit(text.bytes[i]))
            return false;
    return true;
}

/* ^D?[0-7]{3}[NI]?$ */
static bool matches_dcs_code(struct text text)
{
    if (text.length > 0 && text.bytes[0] == 'D') {
        text.bytes++;
        text.length--;
    }
    if (text.length == 4 && (text.bytes[3] == 'N' || text.bytes[3] == 'I'))
        text.length--;
    if (text.length != 3)
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] < '0' || text.bytes[i] > '7')
            return false;
    return true;
}

/* The names of the choices, ending with NULL; fields_find_fault finds one that is forgotten. */
static const char *const bands[BAND_COUNT + 1] = {
    [BAND_ELEVEN_METERS] = "ELEVEN_METERS", [BAND_PMR446] = "PMR446"};
static const char *const modes[MODE_COUNT + 1] = {
    [MODE_FM] = "FM",   [MODE_AM] = "AM", [MODE_SSB] = "SSB",         [MODE_USB] = "USB",
    [MODE_LSB] = "LSB", [MODE_CW] = "CW", [MODE_DIGITAL] = "DIGITAL",
};
static const char *const paths[PATH_COUNT + 1] = {[PATH_SHORT] = "SP", [PATH_LONG] = "LP"};
static const char *const statuses[QSO_STATUS_COUNT + 1] = {
    [QSO_STATUS_HEARD] = "HRD", [QSO_STATUS_WORKED] = "WKD", [QSO_STATUS_CONFIRMED] = "CFM"};
static const char *const qsl_ways[QSL_VIA_COUNT + 1] = {[QSL_VIA_DIRECT] = "DIRECT",
                                                        [QSL_VIA_BUREAU] = "BUREAU",
                                                        [QSL_VIA_EQSL] = "EQSL",
                                                        [QSL_VIA_ECARD] = "ECARD"};

#define CHOICES(names) .choices = (names), .choice_count = sizeof(names) / sizeof *(names)-1

#define NAME(wire_name)                                                                            \
    .name = wire_name, .json_key = "\"" wire_name "\":", .json_key_length = sizeof wire_name + 2

/* clang-format off */
const struct field fields[FIELD_COUNT] = {
    [FIELD_CLIENT_ID] = {
        NAME("clientId"), .column = "client_id", .kind = KIND_UUID,
        .flags = FIELD_REQUIRED | FIELD_CONSTANT,
        .format_rejection = &rejection_client_id_invalid,
        .description = "Stable id of the QSO, chosen once by the client; the synchronisation key.",
        .example = "\"2f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b20\""},
    [FIELD_BAND] = {
        NAME("band"), .column = "band", .kind = KIND_CHOICE,
        .flags = FIELD_REQUIRED | FIELD_NEVER_NULL | FIELD_MATCHED | FIELD_FILTERED, CHOICES(bands),
        .description = "The band, which decides what other fields may be there.",
        .example = "\"ELEVEN_METERS\""},
    [FIELD_QSO_AT] = {
        NAME("qsoAt"), .column = "qso_at", .kind = KIND_DATETIME,
        .flags = FIELD_REQUIRED | FIELD_NEVER_NULL | FIELD_MATCHED | FIELD_FILTERED,
        .format_rejection = &rejection_datetime_invalid,
        .description = "Date and time of the QSO, with a time zone; returned in UTC.",
        .example = "\"2026-05-17T19:42:00.000Z\""},
    [FIELD_FREQUENCY] = {
        NAME("frequencyMhz"), .column = "frequency", .kind = KIND_FREQUENCY,
        .flags = FIELD_FILTERED,
        .bands = BANDS_ELEVEN_METERS, .minimum = 26000, .maximum = 28000,
        .pattern = "^(2[67]\\\\.\\\\d{3}|28\\\\.000)$",
        .format_rejection = &rejection_frequency_format, .range_rejection = &rejection_frequency_out_of_band,
        .description = "Frequency in MHz with exactly three decimals (11 m only).",
        .example = "\"27.555\""},
    [FIELD_CHANNEL] = {
        NAME("channel"), .column = "channel", .kind = KIND_INTEGER,
        .flags = FIELD_MATCHED | FIELD_FILTERED,
        .bands = BANDS_PMR446, .demanding_bands = BANDS_PMR446, .minimum = 1, .maximum = 16,
        .range_rejection = &rejection_channel_out_of_range,
        .description = "Channel, required on PMR446 and allowed nowhere else.",
        .example = "8"},
    [FIELD_CTCSS_TONE] = {
        NAME("ctcssTone"), .column = "ctcss_tone", .kind = KIND_PATTERN, .bands = BANDS_PMR446,
        .pattern = "^\\\\d{2,3}\\\\.\\\\d$", .matches = matches_ctcss_tone,
        .format_rejection = &rejection_ctcss_format,
        .description = "CTCSS tone in Hz with one decimal (PMR446 only).", .example = "\"88.5\""},
    [FIELD_DCS_CODE] = {
        NAME("dcsCode"), .column = "dcs_code", .kind = KIND_PATTERN, .bands = BANDS_PMR446,
        .pattern = "^D?[0-7]{3}[NI]?$", .matches = matches_dcs_code,
        .format_rejection = &rejection_dcs_format,
        .description = "DCS code: three octal digits, optional D before, optional N or I at the end "
                       "(PMR446 only).",
        .example = "\"D023N\""},
    [FIELD_MODE] = {
        NAME("mode"), .column = "mode", .kind = KIND_CHOICE,
        .flags = FIELD_MATCHED | FIELD_FILTERED,
        CHOICES(modes),
        .description = "Mode of emission.", .example = "\"USB\""},
    [FIELD_CALLSIGN_WORKED] = {
        NAME("callsignWorked"), .column = "callsign_worked", .kind = KIND_TEXT,
        .flags = FIELD_MATCHED | FIELD_MAPPED | FIELD_FILTERED, .maximum = 20,
        .description = "Callsign of the station worked.", .example = "\"26AT101\""},
    [FIELD_OPERATOR_CALLSIGN] = {
        NAME("operatorCallsign"), .column = "operator_callsign", .kind = KIND_TEXT,
        .flags = FIELD_KEPT_ON_UPDATE | FIELD_MATCHED, .maximum = 20,
        .description = "The member's own callsign for this QSO; empty: the member's callsign.",
        .example = "\"21SD333/P\""},
    [FIELD_DX_LOCATOR] = {
        NAME("dxLocator"), .column = "dx_locator", .kind = KIND_LOCATOR,
        .flags = FIELD_MAPPED | FIELD_FILTERED,
        .format_rejection = &rejection_locator_invalid,
        .description = "Maidenhead locator of the station worked.", .example = "\"IO91wm\""},
    [FIELD_DX_LAT] = {
        NAME("dxLat"), .column = "dx_lat", .kind = KIND_REAL,
        .flags = FIELD_KEPT_ON_UPDATE | FIELD_MAPPED | FIELD_FILTERED,
        .minimum = -90, .maximum = 90,
        .description = "Exact latitude of the station worked, degrees.", .example = "51.507351"},
    [FIELD_DX_LNG] = {
        NAME("dxLng"), .column = "dx_lng", .kind = KIND_REAL,
        .flags = FIELD_KEPT_ON_UPDATE | FIELD_MAPPED | FIELD_FILTERED,
        .minimum = -180, .maximum = 180,
        .description = "Exact longitude of the station worked, degrees.", .example = "-0.127758"},
    [FIELD_TX_POWER] = {
        NAME("txPowerW"), .column = "tx_power", .kind = KIND_INTEGER,
        .flags = FIELD_KEPT_ON_UPDATE, .minimum = 0, .maximum = 100000,
        .description = "Transmitter power in whole watts.", .example = "12"},
    [FIELD_MY_LOCATOR] = {
        NAME("myLocator"), .column = "my_locator", .kind = KIND_LOCATOR, .flags = FIELD_FILTERED,
        .format_rejection = &rejection_locator_invalid,
        .description = "The member's Maidenhead locator for this QSO.", .example = "\"JO59jw\""},
    [FIELD_SPLIT] = {
        NAME("splitKhz"), .column = "split", .kind = KIND_INTEGER,
        .minimum = -99999, .maximum = 99999,
        .description = "Transmit minus receive frequency, kHz.", .example = "5"},
    [FIELD_PATH] = {
        NAME("path"), .column = "path", .kind = KIND_CHOICE, CHOICES(paths),
        .description = "Short path or long path.", .example = "\"SP\""},
    [FIELD_QSO_STATUS] = {
        NAME("qsoStatus"), .column = "qso_status", .kind = KIND_CHOICE, .flags = FIELD_MATCHED | FIELD_FILTERED,
        CHOICES(statuses),
        .description = "Heard, worked or confirmed; the client's own word.", .example = "\"WKD\""},
    [FIELD_RST_SENT] = {
        NAME("rstSent"), .column = "rst_sent", .kind = KIND_TEXT, .maximum = 10,
        .description = "Signal report sent.", .example = "\"59\""},
    [FIELD_RST_RECEIVED] = {
        NAME("rstReceived"), .column = "rst_received", .kind = KIND_TEXT, .maximum = 10,
        .description = "Signal report received.", .example = "\"57\""},
    [FIELD_QSL_SENT] = {
        NAME("qslSent"), .column = "qsl_sent", .kind = KIND_BOOLEAN,
        .flags = FIELD_NEVER_NULL | FIELD_FILTERED,
        .description = "A QSL card was sent.", .example = "false"},
    [FIELD_QSL_RECEIVED] = {
        NAME("qslReceived"), .column = "qsl_received", .kind = KIND_BOOLEAN,
        .flags = FIELD_NEVER_NULL | FIELD_FILTERED,
        .description = "A QSL card was received.", .example = "false"},
    [FIELD_QSL_VIA] = {
        NAME("qslVia"), .column = "qsl_via", .kind = KIND_CHOICE, CHOICES(qsl_ways),
        .description = "The way of the QSL card.", .example = "\"EQSL\""},
    [FIELD_NOTES] = {
        NAME("notes"), .column = "notes", .kind = KIND_TEXT, .maximum = 2000,
        .description = "Free text.", .example = "\"Sporadic E, strong\""},
    [FIELD_RADIO] = {
        NAME("radio"), .column = "radio", .kind = KIND_TEXT, .flags = FIELD_KEPT_ON_UPDATE,
        .maximum = 80, .description = "Radio used.", .example = "\"President Lincoln II\""},
    [FIELD_ANTENNA] = {
        NAME("antenna"), .column = "antenna", .kind = KIND_TEXT, .flags = FIELD_KEPT_ON_UPDATE,
        .maximum = 80, .description = "Antenna used.", .example = "\"5/8 ground plane\""},
    [FIELD_SEND_SPOT] = {
        NAME("sendSpot"), .kind = KIND_BOOLEAN, .flags = FIELD_WRITE_ONLY,
        .description = "True: also publish this live QSO as a spot, once. Never for old QSOs. "
                       "At most 20 a minute: of others spottedAt stays null.",
        .example = "false"},
    [FIELD_ID] = {
        NAME("id"), .column = "id", .kind = KIND_ID,
        .flags = FIELD_READ_ONLY | FIELD_NEVER_NULL | FIELD_ASSIGNED | FIELD_FILTERED,
        .description = "The service's id of the QSO.", .example = "\"1042\""},
    [FIELD_CROSS_CONFIRMED_AT] = {
        NAME("crossConfirmedAt"), .column = "cross_confirmed_at", .kind = KIND_DATETIME,
        .flags = FIELD_READ_ONLY | FIELD_ASSIGNED | FIELD_MAPPED | FIELD_FILTERED,
        .description = "When the other station's log was found to hold this QSO, too.",
        .example = "null"},
    [FIELD_SPOTTED_AT] = {
        NAME("spottedAt"), .column = "spotted_at", .kind = KIND_DATETIME,
        .flags = FIELD_READ_ONLY,
        .description = "When the QSO was published as a spot.", .example = "null"},
    [FIELD_CREATED_AT] = {
        NAME("createdAt"), .column = "created_at", .kind = KIND_DATETIME,
        .flags = FIELD_READ_ONLY | FIELD_NEVER_NULL | FIELD_CONSTANT,
        .description = "When the QSO was first saved.", .example = "\"2026-05-17T19:43:10.250Z\""},
    [FIELD_SYNCED_AT] = {
        NAME("syncedAt"), .column = "synced_at", .kind = KIND_DATETIME,
        .flags = FIELD_READ_ONLY | FIELD_NEVER_NULL,
        .description = "Time of the last write by the service; the order of the log.",
        .example = "\"2026-05-17T19:43:10.250Z\""},
};

/* What a row of this kind lacks; NULL: nothing. */
static const char *find_gap(const struct field *field)
{
    size_t named = 0;
    if (!field->description || !field->example)
        return "it has no description or no example";
    while (field->choices && field->choices[named])
        named++;
    if (named < field->choice_count)
        return "a choice of it has no name";
    if (field->kind == KIND_CHOICE && named == 0)
        return "it has no choices";
    if (field->kind == KIND_PATTERN && (!field->pattern || !field->matches))
        return "it has no pattern";
    if (field->kind == KIND_TEXT && field->maximum <= 0)
        return "it has no maximum";
    return NULL;
}

const char *fields_find_fault(const char **name)
{
    *name = NULL;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!fields[i].name)
            return "the field behind it has no row";
        *name = fields[i].name;
        const char *gap = find_gap(&fields[i]);
        if (gap)
            return gap;
    }
    return NULL;
}

int fields_find_sent(struct text name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!(fields[i].flags & FIELD_READ_ONLY) &&
            name.length + 3u == fields[i].json_key_length &&
            memcmp(name.bytes, fields[i].name, name.length) == 0)
            return i;
    return -1;
}
