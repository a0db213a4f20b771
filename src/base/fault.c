/* The table of stable codes: a fact about a code stands here and nowhere else.
 *
 * Only rows; refuses to decide when a code applies, and to know how a response writes it. */
#include "base/fault.h"

/* -- Request-level errors ---------------------------------------------------------------------- */

const struct fault fault_validation_failed = {
    "VALIDATION.FAILED", 400, false,
    "A parameter or the body is not valid; details names each field and what is wrong with it."};

const struct fault fault_body_too_large = {"VALIDATION.FAILED", 413, false,
                                           "The body is larger than any valid batch."};

const struct fault fault_key_invalid = {
    "API_KEYS.INVALID", 401, false,
    "The API key is missing, unknown or revoked, or its account is no longer active."};

const struct fault fault_read_only = {"API_KEYS.READ_ONLY", 403, false,
                                      "The API key may only read, and this request writes."};

const struct fault fault_not_found = {"GENERIC.NOT_FOUND", 404, false,
                                      "There is nothing under this path or clientId."};

const struct fault fault_method_not_allowed = {
    "GENERIC.METHOD_NOT_ALLOWED", 405, false,
    "The path exists and does not take this method; the Allow header names those that it does."};

const struct fault fault_rate_limited = {
    "GENERIC.RATE_LIMITED", 429, false,
    "Too many requests from this address; wait as long as Retry-After says."};

/* Also the one entry rejection that is worth another try. */
const struct fault fault_internal = {"GENERIC.INTERNAL_ERROR", 500, false,
                                     "The server failed; try again later."};

/* -- Per-QSO rejections ------------------------------------------------------------------------ */

const struct fault fault_client_id_invalid = {"CLIENT_ID_INVALID", 0, true,
                                              "clientId is not a UUID."};

const struct fault fault_datetime_invalid = {
    "DATETIME_INVALID", 0, true, "qsoAt is not an ISO 8601 date-time with a time zone."};

const struct fault fault_locator_invalid = {
    "LOCATOR_INVALID", 0, true,
    "dxLocator or myLocator is not a Maidenhead locator of 4 or 6 characters."};

const struct fault fault_frequency_format = {
    "FREQUENCY_FORMAT_INVALID", 0, true,
    "frequencyMhz is not a string with exactly three decimals."};

const struct fault fault_frequency_out_of_band = {"FREQUENCY_OUT_OF_BAND_11M", 0, true,
                                                  "frequencyMhz lies outside 26.000 to 28.000."};

const struct fault fault_channel_out_of_range = {"CHANNEL_OUT_OF_RANGE", 0, true,
                                                 "channel lies outside 1 to 16."};

const struct fault fault_ctcss_format = {"CTCSS_FORMAT_INVALID", 0, true,
                                         "ctcssTone is not a tone in Hz with one decimal."};

const struct fault fault_dcs_format = {
    "DCS_FORMAT_INVALID", 0, true,
    "dcsCode is not three octal digits with an optional D before and N or I behind them."};

const struct fault fault_client_id_conflict = {
    "CLIENT_ID_CONFLICT", 0, true,
    "clientId already belongs to a QSO of another member; the QSO needs a new one."};

const struct fault *const fault_entry_rejections[] = {
    &fault_client_id_invalid,
    &fault_datetime_invalid,
    &fault_locator_invalid,
    &fault_frequency_format,
    &fault_frequency_out_of_band,
    &fault_channel_out_of_range,
    &fault_ctcss_format,
    &fault_dcs_format,
    &fault_client_id_conflict,
    &fault_internal,
    NULL,
};
