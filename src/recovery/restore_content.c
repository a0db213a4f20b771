/* Replaces the content of a readable logbook with the candidate's pages. The transaction begins and
 * ends like any other write. Every write acknowledged before the transaction is in the kept copy of
 * the old logbook. Every write acknowledged after the transaction is in the restored logbook. */
#include "recovery/candidate_files.h"
#include "recovery/restore_steps.h"

#include "base/log.h"
#include "base/progress.h"
#include "database/copy.h"
#include "database/database.h"
#include "database/transaction.h"
#include "recovery/carry_over.h"
#include "store/log/logbook.h"
#include "store/store.h"
#include "store/transaction.h"

/* Compares the logbook with the candidate. If the logbook is too damaged to be compared, the
 * candidate counts as a backup of the same logbook, so that the restore continues. */
static enum store_result compare_sides(struct store *old, struct restore *restore)
{
    restore->relation = RELATION_SAME;
    restored_read_side(old, restore->arena, &restore->out->old);
    enum store_result result =
        both_logbooks_compare(old, restore->candidate.store, &restore->relation);
    if (result != STORE_DONE)
        return store_has_found_damage() ? STORE_DONE : result;
    return restore->relation == RELATION_NONE && !restore->takes_other ? STORE_REFUSED : STORE_DONE;
}

/* Makes the page sizes of both databases equal, so that pages can be copied. The page sizes can
 * differ if different versions of SQLite created the databases. */
static enum store_result take_page_size(struct store *old, const struct restore *restore)
{
    struct database *database = restore->candidate.store->database;
    struct statement *here = database_statement(old->database, STATEMENT_READ_FORMAT);
    struct statement *there = database_statement(database, STATEMENT_READ_FORMAT);
    enum store_result result = database_step(old->database, here);
    THEN(result, database_step(database, there));
    if (result != STORE_DONE)
        return STORE_BROKEN;
    const int64_t size = database_read_integer(here, "page_size");
    const bool differs = size != database_read_integer(there, "page_size");
    const bool is_alike =
        text_equals(database_read_text(here, "encoding"), database_read_text(there, "encoding"));
    sqlite3_reset(here->handle);
    sqlite3_reset(there->handle);
    if (!is_alike)
        log_line("%s and the backup have different text encodings; nothing was restored",
                 old->database->path);
    if (!is_alike || !differs)
        return is_alike ? STORE_DONE : STORE_BROKEN;
    return database_execute(
        database, arena_print(restore->arena,
                              "PRAGMA temp_store = FILE; PRAGMA journal_mode = DELETE; "
                              "PRAGMA page_size = %lld; VACUUM; PRAGMA journal_mode = WAL",
                              (long long)size));
}

static enum store_result follow_endings(struct store *old, struct restore *restore)
{
    if (restore->relation != RELATION_SAME)
        return STORE_DONE;
    progress_begin("removing deleted members");
    return both_logbooks_apply_endings(old, restore->candidate.store,
                                       &restore->out->deleted_members);
}

static enum store_result carry_over(struct store *old, struct restore *restore)
{
    struct transaction transaction;
    struct store *candidate = restore->candidate.store;
    enum store_result result = store_begin_write(candidate, &transaction);
    if (result != STORE_DONE)
        return result;
    result = store_finish(&transaction, carry_over_take(old, candidate, restore->relation));
    restore->is_carried_over = result == STORE_DONE;
    return result;
}

/* Prepares the candidate, which then replaces the content. Data to be kept from the old logbook is
 * written to the candidate while nobody else can write. */
static enum store_result prepare_content(struct store *old, struct restore *restore)
{
    /* Members may have been added or deleted since the first comparison. */
    enum store_result result = compare_sides(old, restore);
    THEN(result, copy_keep(restore->path,
                           candidate_files_name_kept(restore->candidate.path, restore->arena),
                           restore->arena, &restore->out->kept));
    THEN(result, follow_endings(old, restore));
    return THEN(result, carry_over(old, restore));
}

static enum store_result replace_in_turn(struct store *old, struct restore *restore)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(old, &transaction);
    if (result != STORE_DONE)
        return result;
    result = prepare_content(old, restore);
    if (result == STORE_DONE)
        return transaction_commit_copy(old->database, restore->candidate.store->database->handle);
    store_rollback(&transaction);
    return result;
}

enum store_result restore_content(struct restore *restore)
{
    struct store *old = NULL;
    enum store_result result = store_open(restore->path, OPEN_EXISTING, &old);
    if (result == STORE_NONE)
        log_line("%s is not a QSOsync logbook", restore->path);
    THEN(result, compare_sides(old, restore));
    /* this call does most of the work, while others can still write */
    THEN(result, follow_endings(old, restore));
    THEN(result, take_page_size(old, restore));
    THEN(result, replace_in_turn(old, restore));
    if (result == STORE_DONE)
        store_checkpoint(old);
    if (result != STORE_DONE && restore->out->kept) {
        copy_remove(restore->out->kept);
        restore->out->kept = NULL;
    }
    store_close(old);
    return result;
}
