/* Finds the values in a record that are new for the record's QSO, and withdraws corrections. */
#ifndef QSOSYNC_TRANSFER_NEW_VALUES_H
#define QSOSYNC_TRANSFER_NEW_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "adif/merge.h"
#include "base/arena.h"
#include "store/log/known.h"
#include "store/transaction.h"
#include "transfer/matching_record.h"

struct new_values {
    /* The following members are filled by the caller. */
    struct transaction *transaction;
    int64_t member_id;
    struct matching_record *record;
    struct arena *arena;
    /* The following members are filled by new_values_find. */
    struct merge_new found;
    /* the record's key before its program corrected the identifying values */
    struct known_key outdated;
    bool has_outdated;
};

/* Finds the new values, and the values that the record's source has sent before. */
enum store_result new_values_find(struct new_values *new_values, bool is_one_program);

/* Marks values that are not stored in the QSO because the source may not correct the QSO. From
 * another source, these values can be new. has_leftovers means that the record's extra fields are
 * stored. */
void new_values_mark_ignored(struct new_values *new_values, const struct merging *merging,
                             const struct qso *merged, bool has_leftovers);

/* Returns whether nothing new must be remembered: the record's source has already sent all its
 * values, or the record is the whole QSO (is_own). */
bool new_values_is_remembered(const struct matching_record *record);

/* Allows a program with ids to undo its own correction. A value that the program has corrected no
 * longer counts as sent by other sources of the same program. Call this function before the record
 * is remembered. */
enum store_result new_values_withdraw(const struct new_values *new_values);

#endif
