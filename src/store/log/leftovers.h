/* Stores the extra fields of QSOs: fields in an ADIF record that QSOsync does not use, stored
 * unchanged. src/adif interprets these fields. */
#ifndef QSOSYNC_STORE_LEFTOVERS_H
#define QSOSYNC_STORE_LEFTOVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/transaction.h"

/* Finds the extra fields of the member's QSO with this id, inside a read transaction or a write
 * transaction. Copies the extra fields into the arena; *out has no text if the QSO has no extra
 * fields. */
enum store_result store_find_leftovers(struct store *store, int64_t member_id, int64_t id,
                                       struct arena *arena, struct text *out);

/* Stores in *out whether extra fields are stored for any of the member's QSOs, including previous
 * content and deleted QSOs. */
enum store_result store_has_leftovers(struct store *store, int64_t member_id, bool *out);

/* Receives a QSO's extra fields, which are valid during the call, and the edit that wrote these
 * fields. */
typedef void leftovers_visitor(void *context, int64_t qso_id, int64_t edit, struct text fields);

/* A page in the list of a member's extra fields. The list includes the extra fields of previous
 * content and of deleted QSOs. */
struct leftovers_page {
    int64_t member_id;
    int64_t limit;
    int64_t qso_id, edit; /* position of the last extra fields visited; 0: none */
    bool is_last;         /* whether no further extra fields follow */
};

/* Calls visit for the next extra fields, at most page->limit times, and moves the page's position.
 */
enum store_result store_list_leftovers(struct store *store, struct leftovers_page *page,
                                       leftovers_visitor *visit, void *context);

/* Stores the extra fields of new content, which replaced the content from the edit `previous_edit`.
 * If `leftovers` has no text, the QSO keeps its extra fields. Call this function inside the write
 * transaction. */
enum store_result leftovers_note(struct transaction *transaction, int64_t member_id, int64_t id,
                                 int64_t previous_edit, struct text leftovers);

/* Removes the extra fields of a deleted QSO that cannot be restored. */
enum store_result leftovers_forget(struct transaction *transaction, int64_t member_id, int64_t id);

#endif
