/* The list of endpoints, and what several of them do alike. */
#include "endpoints/endpoint.h"

#include <string.h>

/* A literal segment comes before a parameter that it could be taken for. */
const struct endpoint *const endpoints[] = {
    &endpoint_me,
    &endpoint_logs_list,
    &endpoint_logs_ids,
    &endpoint_logs_batch,
    &endpoint_logs_delete,
    &endpoint_openapi,
    NULL,
};

const struct fault *endpoint_refuse(struct exchange *exchange, const char *field,
                                    const char *message)
{
    exchange->fault_field = field;
    exchange->fault_message = message;
    return &fault_validation_failed;
}

const struct fault *endpoint_store_fault(enum store_result result)
{
    return result == STORE_DONE ? NULL : &fault_internal;
}

void endpoint_add_log_epoch(struct exchange *exchange)
{
    response_add_header_number(exchange->response, "X-Log-Epoch", exchange->identity.log_epoch);
}

/* Compares what stands between the quotes. A front server that compresses may have put a suffix
 * behind it (Apache: -gzip). */
bool endpoint_matches_etag(const struct exchange *exchange, const char *etag)
{
    const char *list = exchange->request->if_none_match;
    const char *opaque = strchr(etag, '"');
    size_t length = strlen(opaque) - 1; /* without the closing quote */
    if (!list)
        return false;
    if (strcmp(list, "*") == 0)
        return true;
    for (const char *at = strstr(list, "\""); at; at = strchr(at + 1, '"'))
        if (strncmp(at, opaque, length) == 0 &&
            (at[length] == '"' || strncmp(at + length, "-gzip\"", 6) == 0))
            return true;
    return false;
}
