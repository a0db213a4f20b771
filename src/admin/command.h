/* A command of qsosync-admin is one constant row, and a function that runs it. The functions share
 * messages, exit statuses and the values of options, which are declared here, too. */
#ifndef QSOSYNC_ADMIN_COMMAND_H
#define QSOSYNC_ADMIN_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/locator.h"
#include "store/logbook.h"
#include "store/members.h"

enum {
    EXIT_DONE = 0,
    EXIT_REFUSED = 1, /* one line on standard error says why */
    EXIT_USAGE = 2,
};

/* An option that was given. */
struct option_given {
    const char *name;
    const char *value; /* "" if it takes none */
};

/* The command line, taken apart. */
struct invocation {
    const char *const *line; /* as it was given, without the program; NULL follows the last */
    const struct command *command;
    const char *database;         /* path */
    const char *const *arguments; /* those of the command; NULL follows the last */
    const struct option_given *options;
    int option_count;
    struct arena *arena;
    struct store *store;  /* open, if the command's row says so */
    struct member member; /* likewise */
};

/* How the logbook is opened before the command runs. */
enum command_opening {
    OPENS_TO_WRITE,
    OPENS_TO_READ, /* the logbook stays byte for byte as it is */
    OPENS_BRIEFLY, /* to write, with a few statements: it comes every few minutes */
    OPENS_ITSELF,  /* nothing */
};

/* Several rows with the same words are forms of one command, which differ in the options that they
 * need. The usage says in one line, as the help shows it, what may follow the words:
 *
 *   CALLSIGN [FILE] --name NAME [--scope READ|WRITE] [--json]
 *
 * A word that begins with two hyphens is an option, the word after it in capital letters its value,
 * every other word an argument. What stands in brackets may be left out, and so may everything
 * where a bar between blanks separates two forms: "FILE | --to DIR". */
struct command {
    const char *words; /* "member add" */
    const char *usage;
    const char *summary; /* one line for the help */
    enum command_opening opening;
    bool of_member; /* the first argument, if it is there, names invocation->member */
    int which;      /* of the rows with one function: what tells them apart */
    int (*run)(struct invocation *invocation);
};

/* The groups of commands, in the order of the help. GROUP_commands is the table of
 * src/admin/GROUP.c and ends with an empty row. */
#define COMMAND_GROUPS(GROUP)                                                                      \
    GROUP(members)                                                                                 \
    GROUP(devices)                                                                                 \
    GROUP(keys)                                                                                    \
    GROUP(stations)                                                                                \
    GROUP(club)                                                                                    \
    GROUP(acts)                                                                                    \
    GROUP(spots)                                                                                   \
    GROUP(adif)                                                                                    \
    GROUP(peers)                                                                                   \
    GROUP(history) GROUP(status) GROUP(doctor) GROUP(backup) GROUP(database) GROUP(instance)

#define COMMAND_DECLARE_GROUP(group) extern const struct command group##_commands[];
COMMAND_GROUPS(COMMAND_DECLARE_GROUP)

/* The value of an option ("" for one that takes none); NULL: not given. The command's row names the
 * option (assert). */
const char *command_option(const struct invocation *invocation, const char *name);
bool command_has_option(const struct invocation *invocation, const char *name);

/* A message of success for a person: printed only if standard output is a terminal. Returns
 * EXIT_DONE. */
int command_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes one line to standard error, which ends with the hint; returns the exit status. */
int command_tell(int status, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Why nothing was done; likewise, of a command line that does not have the form that the help
 * shows; and about something that was done and may be unexpected. */
#define command_refuse(...) command_tell(EXIT_REFUSED, "", __VA_ARGS__)
#define command_misuse(...) command_tell(EXIT_USAGE, "; see qsosync-admin --help", __VA_ARGS__)
#define command_warn(...) command_tell(EXIT_DONE, "", __VA_ARGS__)

/* The exit status for what the store answered; the store has logged what was wrong. */
int command_finish(enum store_result result);

/* The same, and what a person is told if it was done. */
#define command_done(result, ...) ((result) == STORE_DONE ? command_say(__VA_ARGS__) : EXIT_REFUSED)

/* Flushes standard output; a failure gives a line on standard error. */
int command_finish_output(void);

/* Writes what the buffer holds to standard output, flushes it, and frees the buffer. */
int command_print(struct buffer *out);

/* A date and time of the command line, or a date alone: its beginning, in UTC. False for anything
 * else. */
bool command_read_time(const char *argument, int64_t *ms);

/* The option, if it is given: an integer from 1 to maximum; otherwise *value stays. False after a
 * line on standard error, for EXIT_USAGE. */
bool command_read_number(const struct invocation *invocation, const char *name, int64_t maximum,
                         int64_t *value);

/* Trims a text of the command line and checks it: UTF-8, 1 to maximum code points, no control
 * characters. Returns false after a line on standard error. */
bool command_read_text(const char *what, const char *argument, size_t maximum, struct text *text);

/* The user that a command runs as. The commonest mistake with an installation is a user who may not
 * open the logbook: every command explains it in the same words. */

/* If root runs the command, it acts from now on as the owner of the file's folder (folder.h).
 * Whether this user may read the file, or if `to_write` read and write it and make files beside it
 * (a file that does not exist yet is judged by its folder). Otherwise false, after a line that
 * names the owner and the command line to run as that user. Other reasons are reported by whoever
 * opens the file. */
bool owner_may_open(const struct invocation *invocation, const char *path, bool to_write);

/* Opens the logbook, or another file that is one. */

/* Opens it as invocation->store; false after a line on standard error, which says what to do. */
bool logbook_open(struct invocation *invocation, const char *path, enum opening opening);

/* -- A line that says how far long work has come ----------------------------------------------- */

/* From now on, if standard error is a terminal. */
void progress_line_begin(void);

/* Shows how far work has come: steps done, of how many (0: not known), with a bar. phase NULL: no
 * word for it. May be called as often as one likes. */
void progress_line_show(const char *phase, int64_t done, int64_t total);

/* Removes the line, before anything else is written to the terminal. */
void progress_line_clear(void);

/* -- The member whose callsign is on the command line ------------------------------------------ */

/* A callsign in the form in which members have it: trimmed, upper case, in the invocation's arena.
 * False after a line on standard error. */
bool find_member_read_callsign(struct invocation *invocation, const char *argument,
                               struct text *callsign);

/* A locator in its normal form, of which `normal` keeps the bytes. False after a line on standard
 * error. */
bool find_member_read_locator(const char *argument, char normal[LOCATOR_LENGTH_MAX],
                              struct text *locator);

/* A member's callsign that is the same in this or another spelling; NULL: there is none. */
const char *find_member_similar(struct invocation *invocation, struct text callsign);

/* The member whose callsign is an argument, in the invocation's arena; false after a line on
 * standard error, which names a member whose callsign is the same in another spelling. */
bool find_member(struct invocation *invocation, const char *argument, struct member *member);

/* -- Acts that the store does not note by itself: those with files ----------------------------- */

/* Notes it in the logbook that the invocation has open: what was done, to whom (no text: to all),
 * with the file of this path, and how it went (NULL: there is nothing to say). What was done stays
 * done if that fails. Returns the exit status. */
int note_act(struct invocation *invocation, const char *act, struct text subject, const char *path,
             const char *outcome);

/* The same with details that name no file. */
int note_act_done(struct invocation *invocation, const char *act, struct text subject,
                  const char *details);

/* -- The address of the service (club.c) ------------------------------------------------------- */

/* Without "/api/v1" and a slash at its end, in the invocation's arena: the one that is given, or
 * (NULL) that of the logbook, or of QSOSYNC_ADDRESS. Returns EXIT_DONE, or an exit status after a
 * line on standard error, which says how to set it. */
int service_address_find(struct invocation *invocation, const char *given, const char **address);

/* Tells a person, as command_say does, at which address of the logbook's service a program finds
 * what it asks for, if that is known: the address is followed by the path. */
int service_address_say(struct invocation *invocation, const char *path);

/* -- Files of the command line (given_file.c) -------------------------------------------------- */

/* Reads a file, as the owner of its folder; "-" is the standard input, and more than `maximum`
 * bytes are refused. The text lives as long as the process. False after a line on standard error.
 */
bool given_file_take(const char *path, size_t maximum, struct text *text);

/* Makes a file that its owner alone may read, as the owner of its folder (base/folder.h), and lets
 * `fill` write it. One that exists is never overwritten, unless it is empty. It is on the disk if
 * this returns EXIT_DONE; otherwise there is none, after a line on standard error. */
int new_file_fill(const char *path, int (*fill)(void *context, FILE *file), void *context);

/* -- Keys (keys.c) ----------------------------------------------------------------------------- */

struct listing;

/* Begins *listing in the invocation's arena, with the keys of all members, which have a column. */
enum store_result keys_collect_all(const struct invocation *invocation, struct listing *listing);

/* Prints a key or a token on a line of its own, straight from the caller's memory, which the caller
 * wipes, and through no buffer that would keep it; the byte after it, the NUL, becomes the line
 * feed. False when it cannot be written, also if the reader of a pipe is gone: SIGPIPE is
 * ignored from then on. */
bool keys_print_secret(char *secret, size_t length);

/* Shows a link that holds a secret as a QR code for terminals, likewise through no buffer that
 * would keep it. False when it cannot be written. */
bool keys_print_qr_code(int file, const char *link);

#endif
