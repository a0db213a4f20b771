/* Merges two QSOs into one. */
#include "transfer/doubles.h"

#include "adif/mapping.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/text_hex.h"
#include "base/uuid.h"
#include "qso/contact.h"
#include "qso/qso.h"
#include "store/log/edits.h"
#include "store/log/known.h"
#include "store/log/leftovers.h"
#include "store/log/qsos.h"
#include "store/log/qsos_delete.h"
#include "store/log/qsos_save.h"
#include "store/storage.h"
#include "transfer/doubles_pair.h"
#include "transfer/matching.h"
#include "transfer/matching_own.h"

static void find_end(void *context, const struct known_row *row)
{
    int64_t *end_ms = context;
    if (row->until_ms > *end_ms)
        *end_ms = row->until_ms;
}

static enum store_result read_whole(const struct doubles_log *log, int64_t id, struct arena *arena,
                                    struct doubles_side *out)
{
    int64_t end_ms = 0;
    enum store_result result = store_list_known(log->store, log->member_id, id, find_end, &end_ms);
    THEN(result, doubles_read_side(log, id, 0, arena, out));
    if (result == STORE_DONE && end_ms > out->contact.start_ms)
        contact_read(&out->qso, out->contact.name, end_ms, &log->own, &out->contact);
    return result;
}

/* Fills *out with the deleted QSO's extra fields that do not contradict the merged QSO. If the kept
 * QSO has extra fields, *out is empty. */
static enum store_result join_leftovers(struct transaction *transaction,
                                        const struct identity *member, const struct qso *merged,
                                        const struct doubles_merged *pair, struct arena *arena,
                                        struct text *out)
{
    struct store *store = transaction->store;
    struct text kept = {0}, gone = {0};
    enum store_result result =
        store_find_leftovers(store, member->member_id, pair->kept, arena, &kept);
    THEN(result, store_find_leftovers(store, member->member_id, pair->deleted, arena, &gone));
    *out = (struct text){0};
    if (result == STORE_DONE && kept.length == 0 && gone.length > 0)
        *out = mapping_filter_leftovers(merged, gone, member->callsign, arena);
    return result;
}

/* Stores the deleted QSO's clientId with the kept QSO, for clients and old files that still contain
 * this clientId. */
static enum store_result keep_alias(struct transaction *transaction, int64_t member_id,
                                    const struct qso *gone, int64_t kept)
{
    char digits[2 * UUID_BYTES];
    const struct text client_id = qso_text(gone, FIELD_CLIENT_ID);
    if (!client_id.bytes)
        return STORE_DONE;
    text_format_hex(client_id.bytes, UUID_BYTES, digits);
    return store_write_program_id(
        transaction, member_id, kept,
        (struct contact_id){text_of(CONTACT_QSOSYNC), {digits, sizeof digits}});
}

/* Saves `merged` in place of the kept QSO. The other QSO is deleted first. Thus a QSO that has
 * confirmed the deleted QSO can confirm the kept QSO. */
static enum store_result save(struct transaction *transaction, const struct identity *member,
                              const struct qso *merged, const struct qso *gone, struct arena *arena,
                              struct doubles_merged *out)
{
    struct text leftovers;
    struct saved_qso saved;
    store_describe_work(transaction, WORK_MERGE, qso_text(merged, FIELD_CALLSIGN_WORKED));
    enum store_result result = join_leftovers(transaction, member, merged, out, arena, &leftovers);
    THEN(result, qsos_delete_own(transaction, member, out->deleted));
    THEN(result, store_save_qso(transaction, member, merged, leftovers, &saved));
    THEN(result, store_move_known(transaction, member->member_id, out->deleted, out->kept));
    out->act = transaction->edit.act;
    return THEN(result, keep_alias(transaction, member->member_id, gone, out->kept));
}

enum store_result doubles_merge(struct transaction *transaction, const struct identity *member,
                                int64_t one, int64_t other, struct doubles_merged *out)
{
    struct arena arena = {0};
    struct doubles_log log = {.store = transaction->store, .member_id = member->member_id};
    struct doubles_side sides[2];
    struct qso merged;
    bool keeps_first = true;
    enum store_result result = one == other ? STORE_CONFLICT : STORE_DONE;
    THEN(result, matching_read_own(log.store, log.member_id, &arena, &log.own));
    THEN(result, read_whole(&log, one, &arena, &sides[0]));
    THEN(result, read_whole(&log, other, &arena, &sides[1]));
    THEN(result, doubles_compare(&log, &sides[0], &sides[1]));
    THEN(result, doubles_is_kept(&log, &sides[0], &sides[1], &keeps_first));
    if (result == STORE_DONE) {
        const struct qso *kept = &sides[!keeps_first].qso, *gone = &sides[keeps_first].qso;
        doubles_join(&log, kept, gone, &arena, &merged);
        out->kept = kept->values[FIELD_ID].integer;
        out->deleted = gone->values[FIELD_ID].integer;
        result = save(transaction, member, &merged, gone, &arena, out);
    }
    arena_free(&arena);
    return result;
}
