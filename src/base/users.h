/* Users of this machine, and the access that the modes of files give them. */
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

/* A user of the password database with all groups; false: no user has this name. */
bool users_find(struct arena *arena, const char *name, struct user *out);
const char *users_name(struct arena *arena, uid_t id);

/* Whether that user may do what all these bits say: R_OK, W_OK, X_OK (search) of unistd.h. */
bool users_may(const struct user *user, const struct stat *file, mode_t bits);

#endif
