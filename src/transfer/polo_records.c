/* Lists the changes that a phone receives. */
#include "transfer/polo.h"

#include "base/buffer.h"
#include "store/log/polo_account.h"
#include "store/log/polo_list.h"

enum store_result polo_append_records(struct store *store, const struct polo_phone *phone,
                                      enum polo_kind kind, struct buffer *out, int64_t *left)
{
    const struct polo_request *request = phone->request;
    const struct polo_query *query = &request->question.queries[kind];
    struct polo_giving giving = {.member_id = phone->member->member_id,
                                 .callsign = phone->member->callsign,
                                 .operation = phone->account->operation,
                                 .kind = kind,
                                 .query = query,
                                 .limit = query->limit,
                                 .phone = request->phone,
                                 .own_ms = phone->own_ms,
                                 .now_ms = phone->now_ms};
    for (int i = 0; i < 2; i++)
        if (request->sent[i] > 0 && request->question.queries[i].unsent > request->sent[i])
            giving.limit = 0;
    buffer_append(out, "[", 1);
    enum store_result result = store_polo_list_changes(store, &giving, out, left);
    buffer_append(out, "]", 1);
    return result;
}
