/* Users of this machine, and the access that file modes allow them. */
#ifndef QSOSYNC_BASE_USERS_H
#define QSOSYNC_BASE_USERS_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"

#define USER_GROUPS_MAX 32

struct user {
    uid_t id;
    gid_t groups[USER_GROUPS_MAX];
    int group_count;
    const char *name; /* the number if the user has no name */
};

/* Finds a user with all groups by name. Returns false if no user has this name. */
bool users_find(struct arena *arena, const char *name, struct user *out);

/* Returns the name of a user, or the number if the user has no name. In the arena. */
const char *users_name(struct arena *arena, uid_t id);

/* Returns whether the file's mode allows the user all of these bits: R_OK, W_OK, X_OK (search) of
 * unistd.h. */
bool users_may(const struct user *user, const struct stat *file, mode_t bits);

#endif
