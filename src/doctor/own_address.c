/* Finds out which address the service takes for its own, and makes the command that sets it. The
 * order is that of the pages' program, src/site/club.c. Whether the address is right is judged by
 * the checks. */
#include "doctor/own_address.h"

#include <stdlib.h>
#include <string.h>

#include "doctor/shell.h"
#include "doctor/units.h"
#include "installation.h"
#include "store/club.h"

#define SETTING "QSOSYNC_ADDRESS"

static const char *find_setting(struct doctor *doctor)
{
    struct unit unit;
    const char *set = getenv(SETTING);
    if (set || doctor->is_worker)
        return set ? set : "";
    units_read(doctor->arena, "qsosync-site.service", &unit);
    set = units_variable(&unit, SETTING);
    return set ? set : "";
}

bool own_address_read(struct doctor *doctor, struct text *out)
{
    struct club club;
    if (!doctor->store || store_read_club(doctor->store, doctor->arena, &club) != STORE_DONE)
        return false;
    *out = club.values[CLUB_ADDRESS];
    if (out->length == 0) {
        *out = text_of(arena_print(doctor->arena, "%s", find_setting(doctor)));
        club_judge(CLUB_ADDRESS, out); /* takes off the end that the setting may have */
    }
    return true;
}

const char *own_address_fix(struct doctor *doctor, const char *address)
{
    struct arena *arena = doctor->arena;
    const char *database =
        strcmp(doctor->database, QSOSYNC_DEFAULT_DB) == 0
            ? ""
            : arena_print(arena, "--db %s ", shell_quote(arena, doctor->database));
    return arena_print(arena, "qsosync-admin %sclub set --address %s", database,
                       shell_quote(arena, address));
}
