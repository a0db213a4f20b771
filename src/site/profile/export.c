/* GET /profile/data/export.adi and export.csv: the member's log as a file for other programs. GET
 * /profile/data/everything.json: all data about the member. src/transfer defines the formats. A log
 * of any length is sent page by page. */
#include "base/datetime.h"
#include "installation.h"
#include "qso/log_filter.h"
#include "site/profile/log_query.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "transfer/export.h"
#include "transfer/member_export.h"

static const struct error *read_since(struct exchange *exchange, int64_t *since_ms)
{
    struct text value;
    const struct error *error = input_read_parameter(exchange, "since", &value);
    if (error || !value.bytes || datetime_parse(value, since_ms))
        return error;
    return input_refuse(exchange, "since", "must be an ISO 8601 date-time with a time zone");
}

static bool is_shown(void *filter, const struct qso *qso)
{
    return log_filter_fits(filter, qso);
}

/* Sends the QSOs that the page Logbook shows with the same filter. The parameter "since" omits
 * older QSOs. Without a filter and "since", sends the whole log. */
static const struct error *answer_export(struct exchange *exchange)
{
    bool is_adif = exchange->route == &route_profile_export;
    struct log_filter filter;
    struct export_options options = {.format = is_adif ? EXPORT_ADIF : EXPORT_CSV,
                                     .band = -1,
                                     .heard = true,
                                     .shows = is_shown,
                                     .filter = &filter,
                                     .version = QSOSYNC_VERSION};
    struct export_counts counts;
    TRY(read_since(exchange, &options.since_ms));
    TRY(log_query_read_filter(exchange, &filter));
    exchange->response->content_type =
        is_adif ? "text/x-adif; charset=utf-8" : "text/csv; charset=utf-8";
    exchange->file_name = is_adif ? "qsosync.adi" : "qsosync.csv";
    return profile_store_error(export_log(exchange->store, &exchange->member, &options,
                                          profile_write_piece, exchange, &counts));
}

static const struct error *answer_everything(struct exchange *exchange)
{
    exchange->file_name = "qsosync-everything.json";
    return profile_store_error(member_export_write(exchange->store, &exchange->member,
                                                   exchange->request->arrived_ms,
                                                   profile_write_piece, exchange));
}

PROFILE_FILE_ROUTE(ACCESS_LOG, profile_export, "export.adi", USES_STORE, answer_export);
PROFILE_FILE_ROUTE(ACCESS_LOG, profile_table, "export.csv", USES_STORE, answer_export);
PROFILE_FILE_ROUTE(ACCESS_MEMBER, profile_everything, "everything.json", USES_STORE,
                   answer_everything);
