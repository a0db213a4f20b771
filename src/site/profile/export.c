/* GET /profile/data/export.adi, export.adx, export.csv and export.xlsx: the member's log as a file
 * for other programs. GET /profile/data/everything.json: all data about the member. src/transfer
 * defines the formats. A log of any length is sent page by page. */
#include "base/datetime.h"
#include "base/number_set.h"
#include "installation.h"
#include "qso/log_filter.h"
#include "site/profile/log_query.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "transfer/export.h"
#include "transfer/member_export.h"

#define IDS_MAX 500

static const struct error *read_since(struct exchange *exchange, int64_t *since_ms)
{
    struct text value;
    const struct error *error = input_read_parameter(exchange, "since", &value);
    if (error || !value.bytes || datetime_parse(value, since_ms))
        return error;
    return input_refuse(exchange, "since", "must be an ISO 8601 date-time with a time zone");
}

/* The QSOs that an export contains. */
struct selection {
    struct log_filter filter;
    struct number_set *ids; /* NULL: any id */
};

/* Reads the parameter "ids": numbers separated by spaces. */
static const struct error *read_ids(struct exchange *exchange, struct selection *selection)
{
    struct text ids;
    int64_t id;
    TRY(input_read_parameter(exchange, "ids", &ids));
    selection->ids = ids.length > 0 ? number_set_create(exchange->arena) : NULL;
    for (size_t count = 0; ids.length > 0; count++) {
        if (count == IDS_MAX || !text_parse_integer(text_split_next(&ids, ' '), 1, INT64_MAX, &id))
            return input_refuse(exchange, "ids", "must be at most 500 ids separated by spaces");
        number_set_add(selection->ids, (uint64_t)id);
    }
    return NULL;
}

static bool is_shown(void *context, const struct qso *qso)
{
    const struct selection *selection = context;
    const uint64_t id = (uint64_t)qso->values[FIELD_ID].integer;
    return (!selection->ids || number_set_has(selection->ids, id)) &&
           log_filter_fits(&selection->filter, qso);
}

/* Sends the QSOs that the page Logbook shows with the same filter. With the parameter "since",
 * older QSOs are omitted; with the parameter "ids", only the QSOs with these ids are sent. Without
 * parameters, sends the whole log. */
static const struct error *answer_export(struct exchange *exchange)
{
    static const struct {
        const struct route *route;
        const char *content_type, *file_name;
    } files[] = {
        [EXPORT_ADIF] = {&route_profile_export, "text/x-adif; charset=utf-8", "qsosync.adi"},
        [EXPORT_ADX] = {&route_profile_adx, "application/xml", "qsosync.adx"},
        [EXPORT_CSV] = {&route_profile_table, "text/csv; charset=utf-8", "qsosync.csv"},
        [EXPORT_XLSX] = {&route_profile_workbook,
                         "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                         "qsosync.xlsx"},
    };
    enum export_format format = EXPORT_ADIF;
    while (files[format].route != exchange->route)
        format++;
    struct selection selection;
    struct export_options options = {.format = format,
                                     .band = -1,
                                     .heard = true,
                                     .shows = is_shown,
                                     .filter = &selection,
                                     .version = QSOSYNC_VERSION};
    struct export_counts counts;
    TRY(read_since(exchange, &options.since_ms));
    TRY(log_query_read_filter(exchange, &selection.filter));
    TRY(read_ids(exchange, &selection));
    exchange->response->content_type = files[format].content_type;
    exchange->file_name = files[format].file_name;
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
PROFILE_FILE_ROUTE(ACCESS_LOG, profile_adx, "export.adx", USES_STORE, answer_export);
PROFILE_FILE_ROUTE(ACCESS_LOG, profile_table, "export.csv", USES_STORE, answer_export);
PROFILE_FILE_ROUTE(ACCESS_LOG, profile_workbook, "export.xlsx", USES_STORE, answer_export);
PROFILE_FILE_ROUTE(ACCESS_MEMBER, profile_everything, "everything.json", USES_STORE,
                   answer_everything);
