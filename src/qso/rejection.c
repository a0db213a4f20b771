/* The table of rejection codes: a code stands here and nowhere else.
 *
 * Only rows; the field table and validation decide which of them a value gets. */
#include "qso/rejection.h"

#include <stddef.h>

const struct rejection rejection_client_id_invalid = {"CLIENT_ID_INVALID", true};
const struct rejection rejection_datetime_invalid = {"DATETIME_INVALID", true};
const struct rejection rejection_locator_invalid = {"LOCATOR_INVALID", true};
const struct rejection rejection_frequency_format_invalid = {"FREQUENCY_FORMAT_INVALID", true};
const struct rejection rejection_frequency_out_of_band_11m = {"FREQUENCY_OUT_OF_BAND_11M", true};
const struct rejection rejection_channel_out_of_range = {"CHANNEL_OUT_OF_RANGE", true};
const struct rejection rejection_ctcss_format_invalid = {"CTCSS_FORMAT_INVALID", true};
const struct rejection rejection_dcs_format_invalid = {"DCS_FORMAT_INVALID", true};
const struct rejection rejection_client_id_conflict = {"CLIENT_ID_CONFLICT", true};
const struct rejection rejection_internal = {"GENERIC.INTERNAL_ERROR", false};

/* New rows come last: rejections are counted by their position here (store/rejection_counts.c). */
const struct rejection *const rejections[] = {
    &rejection_client_id_invalid,
    &rejection_datetime_invalid,
    &rejection_locator_invalid,
    &rejection_frequency_format_invalid,
    &rejection_frequency_out_of_band_11m,
    &rejection_channel_out_of_range,
    &rejection_ctcss_format_invalid,
    &rejection_dcs_format_invalid,
    &rejection_client_id_conflict,
    &rejection_internal,
    NULL,
};
