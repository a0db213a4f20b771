/* Writes the file that starts "qsosync-admin alerts send". A failure only delays alerts until the
 * timer starts the command. */
#include "store/alert_wake.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"
#include "store/store.h"

#define SUFFIX "-alerts"
#define MODE 0640
#define PATH_SIZE 4096

void alert_wake(struct store *store)
{
    char path[PATH_SIZE];
    if (!format_whole(path, sizeof path, "%s" SUFFIX, store->database->path))
        return;
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, MODE);
    if (file < 0)
        return;
    futimens(file, NULL);
    close(file); /* systemd.path notices the end of a write. */
}

enum store_result alert_wake_for_spot(struct transaction *transaction)
{
    bool has_rule = false;
    enum store_result result =
        store_has(transaction->store, &has_rule, STATEMENT_FIND_ALERT_RULE_IN_USE);
    if (result == STORE_DONE && has_rule)
        alert_wake(transaction->store);
    return result;
}
