/* Compares and joins two QSOs in a log. src/qso/contact.c decides whether the QSOs are the same
 * contact. */
#include "transfer/doubles_pair.h"

#include "adif/merge.h"
#include "adif/notes.h"
#include "adif/rows.h"
#include "base/text.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "store/log/candidates.h"
#include "store/log/qsos.h"
#include "store/storage.h"

enum store_result doubles_read_side(const struct doubles_log *log, int64_t id, int64_t length_ms,
                                    struct arena *arena, struct doubles_side *out)
{
    enum store_result result = store_find_own_qso(log->store, log->member_id, id, arena, &out->qso);
    if (result == STORE_DONE)
        contact_read(&out->qso, notes_of_qso(&out->qso).parts[NOTES_NAME],
                     out->qso.values[FIELD_QSO_AT].integer + length_ms, &log->own, &out->contact);
    return result;
}

enum store_result doubles_compare(const struct doubles_log *log, const struct doubles_side *one,
                                  const struct doubles_side *other)
{
    bool are_apart = false;
    if (contact_compare(&one->contact, &other->contact) == CONTACT_ANOTHER)
        return STORE_CONFLICT;
    enum store_result result =
        store_have_ids_of_one_program(log->store, log->member_id, one->qso.values[FIELD_ID].integer,
                                      other->qso.values[FIELD_ID].integer, &are_apart);
    return result == STORE_DONE && are_apart ? STORE_CONFLICT : result;
}

/* Joins the notes of two QSOs: adds parts that the kept QSO does not have, and joins the bodies,
 * the kept QSO's body first. Returns false if the notes would be too long or unchanged. */
static bool join_notes(const struct qso *kept, const struct qso *gone, struct arena *arena,
                       struct value *out)
{
    struct notes notes = notes_of_qso(kept);
    const struct notes more = notes_of_qso(gone);
    bool adds = false;
    for (int part = 0; part < NOTES_PART_COUNT; part++) {
        const struct text had = notes.parts[part], has = more.parts[part];
        if (!has.bytes || text_equals(had, has) || (had.bytes && part != NOTES_BODY))
            continue;
        notes.parts[part] = had.bytes ? text_of(arena_print(arena, "%.*s\n%.*s", (int)had.length,
                                                            had.bytes, (int)has.length, has.bytes))
                                      : has;
        adds = true;
    }
    return adds && !values_parse(&fields[FIELD_NOTES], notes_join(&notes, arena), arena, out);
}

void doubles_join(const struct doubles_log *log, const struct qso *kept, const struct qso *gone,
                  struct arena *arena, struct qso *out)
{
    const struct mapped record = {.qso = *gone, .notes = notes_of_qso(gone)};
    const struct merging merging = {
        .record = &record, .stored = kept, .way = MERGE_FILL, .own = &log->own};
    struct value notes = {0};
    merge_record(&merging, arena, out);
    out->values[FIELD_CLIENT_ID] = kept->values[FIELD_CLIENT_ID];
    if (kept->values[FIELD_CLIENT_ID].state != VALUE_PRESENT)
        out->values[FIELD_ID] = kept->values[FIELD_ID];
    if (join_notes(kept, gone, arena, &notes))
        out->values[FIELD_NOTES] = notes;
}

enum store_result doubles_is_kept(const struct doubles_log *log, const struct doubles_side *one,
                                  const struct doubles_side *other, bool *out)
{
    bool is_of_polo[2] = {false, false};
    const struct doubles_side *sides[] = {one, other};
    enum store_result result = STORE_DONE;
    for (int i = 0; i < 2; i++) {
        const struct text client_id = qso_text(&sides[i]->qso, FIELD_CLIENT_ID);
        if (client_id.bytes)
            THEN(result, store_is_of_polo(log->store, log->member_id, client_id, &is_of_polo[i]));
    }
    *out = is_of_polo[0] != is_of_polo[1]
               ? is_of_polo[0]
               : one->qso.values[FIELD_ID].integer < other->qso.values[FIELD_ID].integer;
    return result;
}
