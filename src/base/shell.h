/* Words of commands for a shell. */
#ifndef QSOSYNC_BASE_SHELL_H
#define QSOSYNC_BASE_SHELL_H

#include "base/arena.h"

/* The word quoted for a shell, in the arena; itself where it needs no quotes. */
const char *shell_quote(struct arena *arena, const char *word);

#endif
