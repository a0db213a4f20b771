/* Prints the program's help. */
#ifndef QSOSYNC_ADMIN_HELP_H
#define QSOSYNC_ADMIN_HELP_H

/* Prints the help about the commands that begin with these words, or about all commands if no
 * command begins with these words. */
void help_print(const char *const *words);

/* Ends the program if no command begins with these words. Otherwise reports that words are missing,
 * and prints the help about the commands that begin with these words. */
void help_refuse_words(const char *const *words);

#endif
