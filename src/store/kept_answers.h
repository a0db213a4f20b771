/* Answers about whole logs that take long to count, kept until the log changes. Each write to a log
 * sets its revision, and a restore the logbook's epoch, so that a row whose revision and epoch are
 * those of the log is of the log as it is. What an answer holds is left to the site. */
#ifndef QSOSYNC_STORE_KEPT_ANSWERS_H
#define QSOSYNC_STORE_KEPT_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"
#include "store/transaction.h"

#define KEPT_COUNTS_BYTES_MAX 8388608
#define KEPT_ANSWER_BYTES_MAX 262144 /* as in the schema; a longer one is not kept */

/* The numbers are stored. */
enum kept_kind { KEPT_STATISTICS, KEPT_AWARDS, KEPT_MAP, KEPT_WORKED, KEPT_KINDS };

/* All that an answer depends on. */
struct kept_state {
    int64_t member_id;
    int64_t log_revision;
    int64_t log_epoch;
    struct text locator; /* the member's */
    struct text made_by; /* the program, with its tables */
};

struct kept_answer {
    enum kept_kind kind;
    struct text content; /* at most KEPT_ANSWER_BYTES_MAX */
};

/* How far the counting of a log has come. */
struct kept_counts {
    int64_t until_ms; /* counted are the QSOs with no later synced_at */
    int64_t qsos;     /* that is so many */
    struct text content;
};

/* Whether the member has more QSOs than so many. */
enum store_result store_has_more_qsos(struct store *store, int64_t member_id, int64_t number,
                                      bool *has_more);

/* The answer that was kept for this state, in the arena. STORE_NONE: there is none, or it is
 * damaged. */
enum store_result store_find_kept_answer(struct store *store, struct arena *arena,
                                         const struct kept_state *state, enum kept_kind kind,
                                         struct text *content);

/* Whether there is one; it is not read. */
enum store_result store_has_kept_answer(struct store *store, const struct kept_state *state,
                                        enum kept_kind kind, bool *is_kept);

/* What was kept of the counting of this log, if no QSO that was counted has changed
 * or gone since, and no more than tail_max came. STORE_NONE: there is no such thing. With
 * STORE_DONE the content, which may be megabytes, is valid until store_release_kept_counts, which
 * has to be called before the snapshot ends. */
enum store_result store_find_kept_counts(struct store *store, const struct kept_state *state,
                                         int64_t tail_max, struct kept_counts *out);
void store_release_kept_counts(struct store *store);

/* The synced_at of the QSO that has so many after it in the order of changes. STORE_NONE: there are
 * no more. */
enum store_result store_find_stamp_before(struct store *store, int64_t member_id, int64_t number,
                                          int64_t *stamp_ms);

/* Keeps answers in a transaction of its own, in the place of older ones, and the counts where they
 * are not NULL. Waits for nobody:
 * STORE_BUSY where another writer is at work. STORE_NONE where the log has changed since, or the
 * logbook can only be read. */
enum store_result store_keep_answers(struct store *store, const struct kept_state *state,
                                     const struct kept_answer *answers, size_t count,
                                     const struct kept_counts *counts);

/* -- For other files of the store -------------------------------------------------------------- */

/* With the first deletion of a transaction: what was deleted is in no answer either. */
enum store_result kept_answers_remove(struct transaction *transaction, int64_t member_id);

#endif
