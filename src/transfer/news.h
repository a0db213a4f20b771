/* The values of a record that are news for its QSO, and the memory of the others. */
#ifndef QSOSYNC_TRANSFER_NEWS_H
#define QSOSYNC_TRANSFER_NEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "adif/merge.h"
#include "base/arena.h"
#include "store/log/known.h"
#include "store/transaction.h"
#include "transfer/matching_record.h"

struct news {
    /* The caller's. */
    struct transaction *transaction;
    int64_t member_id;
    struct matching_record *record;
    struct arena *arena;
    /* Filled by news_find. */
    struct merge_news found;
    struct known_key outdated; /* of this record, before its program corrected what identifies it */
    bool has_outdated;
};

/* Finds the news, and what the source of the record has sent before. */
enum store_result news_find(struct news *news, bool is_one_program);

/* Marks values that the QSO does not take, because the source may not correct them. They were never
 * values of the QSO, so they may be news from another source. has_leftovers: the QSO takes those of
 * the record. */
void news_mark_vain(struct news *news, const struct merging *merging, const struct qso *merged,
                    bool has_leftovers);

/* Returns whether nothing of the record needs to be remembered. A record with a clientId of ours is
 * found by that. */
bool news_is_remembered(const struct matching_record *record);

/* Lets a program with ids undo its correction: a value that it has corrected no longer counts as
 * sent by other sources of the same program. Call it before the record is remembered. */
enum store_result news_withdraw(const struct news *news);

#endif
