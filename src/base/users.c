/* Looks up users and their groups in the system's databases, and compares these ids with a file's
 * owner and mode. */
#include "base/users.h"

#include <grp.h>
#include <pwd.h>

const char *users_name(struct arena *arena, uid_t id)
{
    const struct passwd *found = getpwuid(id);
    return found ? arena_print(arena, "%s", found->pw_name)
                 : arena_print(arena, "%lu", (unsigned long)id);
}

bool users_find(struct arena *arena, const char *name, struct user *out)
{
    const struct passwd *user = getpwnam(name);
    if (!user)
        return false;
    *out = (struct user){.id = user->pw_uid, .group_count = USER_GROUPS_MAX};
    out->name = arena_print(arena, "%s", name);
    if (getgrouplist(name, user->pw_gid, out->groups, &out->group_count) < 0)
        out->group_count = USER_GROUPS_MAX;
    return true;
}

bool users_may(const struct user *user, const struct stat *file, mode_t bits)
{
    if (user->id == 0)
        return true;
    if (user->id == file->st_uid)
        return (file->st_mode >> 6 & bits) == bits;
    for (int i = 0; i < user->group_count; i++)
        if (user->groups[i] == file->st_gid)
            return (file->st_mode >> 3 & bits) == bits;
    return (file->st_mode & bits) == bits;
}
