/* Finds the values of a record that are news for its QSO, and withdraws corrections. */
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
    /* key of this record before its program corrected the identifying values */
    struct known_key outdated;
    bool has_outdated;
};

/* Finds the news, and the values that the record's source has sent before. */
enum store_result news_find(struct news *news, bool is_one_program);

/* Marks values that do not become values of the QSO because the source may not correct them. From
 * another source they can be news. has_leftovers: the record's extra fields are stored. */
void news_mark_vain(struct news *news, const struct merging *merging, const struct qso *merged,
                    bool has_leftovers);

/* Returns whether the record is already known, or is found by our clientId. */
bool news_is_remembered(const struct matching_record *record);

/* Allows a program with ids to undo its correction. A value that it has corrected no longer counts
 * as sent by other sources of the same program. Call it before the record is remembered. */
enum store_result news_withdraw(const struct news *news);

#endif
