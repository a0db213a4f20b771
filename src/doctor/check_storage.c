/* Checks the members who use the most storage. The storage contains history, extra fields, QSL
 * cards and other data. */
#include "base/text.h"
#include "doctor/findings.h"
#include "doctor/logbook_checks.h"
#include "doctor/units.h"
#include "store/storage.h"
#include "worker/settings.h"

#define STORAGE_FULL_PERCENT 90
#define STORAGE_MEMBERS_MAX 50000

struct storage_seen {
    struct examination *seen;
    int64_t max;
    /* callsigns of the members who use the most storage, with history and without history */
    const char *most, *full;
    struct storage of_most, of_full;
};

static int64_t kept_of(const struct storage *storage)
{
    return storage_sum(storage) - storage->history;
}

static void take_storage(void *context, struct text callsign, const struct storage *storage)
{
    struct storage_seen *it = context;
    const char *name = print(it->seen, "%.*s", (int)callsign.length, callsign.bytes);
    if (!it->most) {
        it->most = name;
        it->of_most = *storage;
    }
    if (kept_of(storage) > kept_of(&it->of_full)) {
        it->full = name;
        it->of_full = *storage;
    }
}

static const char *describe_storage(const struct storage_seen *it, const struct storage *storage)
{
    const double mib = 1 << 20;
    return print(it->seen,
                 "%.1f of %.0f MiB (history %.1f, extra fields %.1f, PoLo %.1f, QSL cards %.1f, "
                 "known records %.1f)",
                 (double)storage_sum(storage) / mib, (double)it->max / mib,
                 (double)storage->history / mib, (double)storage->leftovers / mib,
                 (double)storage->polo / mib, (double)storage->cards / mib,
                 (double)storage->known / mib);
}

/* Returns the workers' storage limit per member, or the default limit if the workers' limit is
 * unknown. */
static int64_t find_storage_max(struct examination *seen)
{
    int64_t mib = settings_number(SETTING_MEMBER_MIB, NULL, NULL);
    if (seen->doctor->is_worker)
        return store_storage_max(seen->doctor->store);
    if (!settings_find(SETTING_MEMBER_MIB, NULL, NULL))
        text_parse_integer(
            text_of(units_value(units_read(seen->arena, "qsosync.service"), "QSOSYNC_MEMBER_MIB=")),
            1, INT32_MAX, &mib);
    return mib << 20;
}

/* Checks the storage. History does not count for the warning: history fills the free storage, and
 * is removed when other data need room. */
void storage_check(struct examination *seen)
{
    struct storage_seen it = {.seen = seen, .max = find_storage_max(seen)};
    if (store_list_storage(seen->doctor->store, STORAGE_MEMBERS_MAX, take_storage, &it) !=
            STORE_DONE ||
        !it.most)
        return;
    if (kept_of(&it.of_full) > it.max / 100 * STORAGE_FULL_PERCENT)
        found(seen, STORAGE_FULL, it.full, describe_storage(&it, &it.of_full));
    else
        found(seen, STORAGE_USED, it.most, describe_storage(&it, &it.of_most));
}
