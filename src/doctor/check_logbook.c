/* Opens the logbook and runs its checks. A worker can check its own logbook, but does not read
 * other programs' files. A worker neither opens nor closes the logbook's files, because closing a
 * file would release the locks of its process (fcntl(2)). */
#include "base/folder.h"
#include "base/log.h"
#include "doctor/checks.h"
#include "doctor/damage.h"
#include "doctor/findings.h"
#include "doctor/logbook_checks.h"
#include "store/log/logbook_status.h"

/* Reports the service's own address, which cannot be checked without a request. */
static void look_at_own_address(struct examination *seen)
{
    struct text own;
    if (!examination_read_address(seen, &own))
        return;
    if (own.length > 0)
        found(seen, ADDRESS_KNOWN, print(seen, "%.*s", (int)own.length, own.bytes));
    else
        found_with(seen, ADDRESS_UNKNOWN,
                   print(seen, ADDRESS_UNKNOWN_FIX, examination_option(seen)));
}

static bool open_logbook(struct examination *seen)
{
    log_keep_first(seen->said);
    enum store_result result = store_open(seen->path, OPEN_READ_ONLY, &seen->doctor->store);
    if (result == STORE_DONE)
        return true;
    if (result == STORE_NONE && seen->file.st_size == 0)
        damage_report(seen, "database", print(seen, "%s is empty", seen->path));
    else if (result == STORE_NEWER)
        found(seen, SCHEMA_NEWER, seen->said);
    else if (result == STORE_NONE || result == STORE_FOREIGN)
        found(seen, DATABASE_FOREIGN, seen->path);
    else
        damage_report_failure(seen, "database",
                              *seen->said ? seen->said : "the logbook cannot be opened");
    return false;
}

/* Checks the content of the open logbook. If damage makes the counts unreadable, only the content,
 * the backups and the service's own address are checked. */
void logbook_check_content(struct examination *seen)
{
    struct logbook_status status;
    found(seen, DATABASE_RIGHT, seen->path);
    enum store_result result = store_read_status(seen->doctor->store, &status);
    if (result == STORE_DONE)
        state_check(seen, &status);
    backups_check(seen, content_check(seen));
    if (result == STORE_DONE) {
        storage_check(seen);
        peers_check(seen);
    }
    look_at_own_address(seen);
}

void logbook_check(struct examination *seen)
{
    struct folder_ids before;
    const bool is_acting = folder_act_as_owner(seen->path, &before);
    if (open_logbook(seen))
        logbook_check_content(seen);
    if (is_acting)
        folder_act_as(before);
}
