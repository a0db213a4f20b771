/* The help of the program. */
#ifndef QSOSYNC_ADMIN_HELP_H
#define QSOSYNC_ADMIN_HELP_H

/* Prints the help about the commands that begin with these words, or about all commands if none
 * does. */
void help_print(const char *const *words);

/* Reports a missing or unknown command. After the first word of several commands, the help about
 * these follows. */
void help_refuse_words(const char *const *words);

#endif
