/* GET /profile/data/... for files: the member's log as ADIF or CSV for other programs, and
 * everything that the service holds about the member as JSON. The formats are left to src/transfer;
 * a log of any length goes out page by page. */
#include "base/datetime.h"
#include "installation.h"
#include "site/log_query.h"
#include "site/profile.h"
#include "transfer/everything.h"
#include "transfer/export.h"

static const struct error *read_since(struct exchange *exchange, int64_t *since_ms)
{
    struct text value;
    const char *message = request_find_parameter(exchange->request, "since", &value);
    if (message)
        return profile_refuse(exchange, "since", message);
    if (value.bytes && !datetime_parse(value, since_ms))
        return profile_refuse(exchange, "since", "must be an ISO 8601 date-time with a time zone");
    return NULL;
}

static bool write_piece(void *context, const char *bytes, size_t length)
{
    struct exchange *exchange = context;
    buffer_append(&exchange->response->body, bytes, length);
    return response_flush(exchange->response);
}

static bool is_shown(void *filter, const struct qso *qso)
{
    return log_filter_fits(filter, qso);
}

/* What the page My log shows by the same filter, or if there is none, the whole log. */
static const struct error *write_log(struct exchange *exchange, enum export_format format)
{
    struct log_filter filter;
    struct export_wish wish = {.format = format,
                               .band = -1,
                               .heard = true,
                               .shows = is_shown,
                               .filter = &filter,
                               .version = QSOSYNC_VERSION};
    struct export_counts counts;
    const struct error *error = read_since(exchange, &wish.since_ms);
    if (!error)
        error = log_query_read_filter(exchange, &filter);
    if (error)
        return error;
    error = profile_store_error(
        export_log(exchange->store, &exchange->member, &wish, write_piece, exchange, &counts));
    log_filter_free(&filter);
    return error;
}

static const struct error *answer_export(struct exchange *exchange)
{
    exchange->response->content_type = "text/x-adif; charset=utf-8";
    exchange->file_name = "qsosync.adi";
    return write_log(exchange, EXPORT_ADIF);
}

static const struct error *answer_table(struct exchange *exchange)
{
    exchange->response->content_type = "text/csv; charset=utf-8";
    exchange->file_name = "qsosync.csv";
    return write_log(exchange, EXPORT_CSV);
}

static const struct error *answer_everything(struct exchange *exchange)
{
    exchange->file_name = "qsosync-everything.json";
    return profile_store_error(everything_export(
        exchange->store, &exchange->member, exchange->request->arrived_ms, write_piece, exchange));
}

PROFILE_ROUTE_OF_LOG(profile_export, METHOD_GET, "export.adi", USES_STORE, 200, answer_export);
PROFILE_ROUTE_OF_LOG(profile_table, METHOD_GET, "export.csv", USES_STORE, 200, answer_table);
PROFILE_ROUTE(profile_everything, METHOD_GET, "everything.json", USES_STORE, 200,
              answer_everything);
