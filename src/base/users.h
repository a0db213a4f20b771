/* Users of this machine, and the access that file modes give them. */
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
    const char *name; /* the number as text if the user has no name */
};

/* Finds a user by name, with at most USER_GROUPS_MAX groups. Returns false if no user has this
 * name. */
bool users_find(struct arena *arena, const char *name, struct user *out);

/* Returns the user's name, or the number as text if the user has no name, in the arena. */
const char *users_name(struct arena *arena, uid_t id);

/* Returns whether the file's mode gives the user all of these rights: R_OK, W_OK, X_OK (search)
 * from unistd.h. Always returns true for root. */
bool users_may(const struct user *user, const struct stat *file, mode_t bits);

#endif
