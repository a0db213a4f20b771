/* Quotes words in shell commands. */
#ifndef QSOSYNC_BASE_SHELL_H
#define QSOSYNC_BASE_SHELL_H

#include "base/arena.h"

/* Returns the word quoted for a shell, in the arena, or the word itself if it needs no quotes. */
const char *shell_quote(struct arena *arena, const char *word);

#endif
