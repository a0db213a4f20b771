/* A command of qsosync-admin is a row of schema/commands.tsv, and a function that runs it. The
 * functions share messages, the end of the program, and the values of arguments and options, which
 * are declared here, too. */
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
#include "store/club/club.h"
#include "store/log/logbook.h"
#include "store/people/members.h"

enum {
    EXIT_DONE = 0,
    EXIT_REFUSED = 1, /* one line on standard error gives the reason */
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
    const char *const *arguments; /* arguments of the command; NULL follows the last */
    const struct option_given *options;
    int option_count;
    struct arena *arena;
    struct store *store;  /* open if the command's row says so; the command does not close it */
    struct member member; /* likewise */
};

/* How the logbook is opened before the command runs. */
enum command_opening {
    OPENS_TO_WRITE,
    OPENS_TO_READ, /* the logbook stays byte for byte as it is */
    OPENS_BRIEFLY, /* to write, with a few statements: it comes every few minutes */
    OPENS_ITSELF,  /* nothing */
};

/* The usage is the line of the help with everything that may follow the words:
 *
 *   CALLSIGN [FILE] --name NAME [--scope READ|WRITE] [--json]
 *
 * A word that begins with two hyphens is an option, the word after it in capital letters its value,
 * every other word an argument. Words in brackets are optional. If a bar between spaces separates
 * two forms, all words are optional: "FILE | --to DIR". */
struct command {
    const char *words; /* "member add" */
    const char *usage;
    const char *summary; /* one line for the help */
    enum command_opening opening;
    bool of_member; /* the first argument, if it is there, names invocation->member */
    int which;      /* tells apart rows with the same function */
    void (*run)(struct invocation *invocation);
    /* As the usage names them; those that are needed come first, NULL follows the last. */
    int arguments_needed;
    const char *const *arguments;
    int options_needed;
    const char *const *options;
};

#define ROW(words, usage, summary, opening, of_member, which, run, ...)                            \
    void run(struct invocation *invocation);
#include "schema/commands.inc"
#undef ROW

/* Whether a name is among the names, which end with NULL. */
bool command_names(const char *const *names, const char *name);

/* The value of an option ("" for one without a value); NULL: not given. The command's row names the
 * option (assert). */
const char *command_option(const struct invocation *invocation, const char *name);
bool command_has_option(const struct invocation *invocation, const char *name);

/* -- Messages and the end ---------------------------------------------------------------------- */

/* Ends the program with one line on standard error, which says why nothing, or nothing more, is
 * done. The second function does the same for a command line in the wrong form. Both close open
 * files; the command removes its own files first. */
#define command_refuse(...) command_end(EXIT_REFUSED, "", __VA_ARGS__)
#define command_misuse(...) command_end(EXIT_USAGE, "; see qsosync-admin --help", __VA_ARGS__)
_Noreturn void command_end(int status, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the program if the store has failed and logged the reason; or with this line if the result
 * is `refusal`, which the store does not log. */
void command_require_done(enum store_result result);
#define command_expect(result, refusal, ...)                                                       \
    do {                                                                                           \
        const enum store_result expected_ = (result);                                              \
        if (expected_ == (refusal))                                                                \
            command_refuse(__VA_ARGS__);                                                           \
        command_require_done(expected_);                                                           \
    } while (false)

/* Writes a line on standard error, after which the command continues: about a possibly unexpected
 * effect, or about a failure, after which the program ends with EXIT_REFUSED. */
#define command_warn(...) command_print_error(EXIT_DONE, __VA_ARGS__)
#define command_fail(...) command_print_error(EXIT_REFUSED, __VA_ARGS__)
void command_print_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A message of success for a person: printed only if standard output is a terminal. */
void command_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints lines, in which "?" takes the place of every character that is not seen: the only way to
 * print what somebody else has written. */
void command_write(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same to standard output, of what the buffer holds, and frees the buffer. JSON keeps such
 * characters as escapes. */
void command_print(struct buffer *out, bool is_json);

/* Flushes standard output, which fails if it cannot be written. Returns the exit status after all
 * messages so far. */
int command_finish(void);

/* -- Values of the command line. They end the program if they are wrong ------------------------ */

/* A date and time, or a date alone: its beginning, in UTC. False for anything else. */
bool command_read_time(const char *argument, int64_t *ms);

/* The --since option; 0 if absent. */
int64_t command_read_since(const struct invocation *invocation);

/* An integer from 1 to maximum, or what it is if the option is not given. */
int64_t command_read_number(const struct invocation *invocation, const char *name, int64_t maximum,
                            int64_t otherwise);

/* An option that is "on" or "off". False if it is not given. */
bool command_read_switch(const struct invocation *invocation, const char *name);

/* The text, trimmed: UTF-8, 1 to maximum code points, no control characters. */
struct text command_read_text(const char *what, const char *argument, size_t maximum);

/* A callsign in the form in which members have it, with a NUL behind it. */
struct text command_read_callsign(struct invocation *invocation, const char *argument);

/* The option --locator in its normal form; no text if it is not given. */
struct text command_read_locator(struct invocation *invocation);

/* The member whose callsign is an argument. If there is no such member, the message suggests a
 * member with the same callsign in another spelling, from command_find_similar; NULL: none. */
struct member command_find_member(struct invocation *invocation, const char *argument);
const char *command_find_similar(struct invocation *invocation, struct text callsign);

/* -- Opening the logbook ----------------------------------------------------------------------- */

/* If root runs the command, it acts from now on as the owner of the file's folder (folder.h). Ends
 * the program, with the command line to run as the owner, if another user owns the file and this
 * user may not use it. This user must be able to read it. With `to_write`, the user must also be
 * able to write it and to create files in its folder; for a missing file, only the folder counts.
 * Opening the file reports other errors. */
void owner_check(const struct invocation *invocation, const char *path, bool to_write);

/* Opens the logbook, or another file that is one, as invocation->store, or says what to do. */
void logbook_open(struct invocation *invocation, const char *path, enum opening opening);

/* -- A line that says how far long work has come ----------------------------------------------- */

/* From now on, if standard error is a terminal. */
void progress_line_begin(void);

/* Shows how far work has come: steps done, of how many (0: not known), with a bar. phase NULL: no
 * word for it. May be called as often as one likes. */
void progress_line_show(const char *phase, int64_t done, int64_t total);

/* Removes the line, before anything else is written to the terminal. */
void progress_line_clear(void);

/* -- Acts that the store does not record by itself: those with files --------------------------- */

/* Records an act in the open logbook: the act, the member (no text: all), the file of this path
 * (NULL: none), and the outcome (NULL: none). If recording fails, the act is not undone; the
 * failure is reported. */
void note_act(struct invocation *invocation, const char *act, struct text subject, const char *path,
              const char *outcome);

/* -- What the club says, and the address of the service (club.c) ------------------------------- */

struct club command_read_club(struct invocation *invocation);

/* The given address or (NULL) that of the logbook or of QSOSYNC_ADDRESS, without "/api/v1" and a
 * slash at its end, in the invocation's arena. Ends the program if no address is set. */
const char *service_address_find(struct invocation *invocation, const char *given);

/* Tells a person, like command_report, the address that a program needs: the logbook's service,
 * followed by the path. Does nothing if the address is unknown. */
void service_address_say(struct invocation *invocation, const char *path);

/* -- Files of the command line (file_argument.c) ----------------------------------------------- */

/* Reads a file, as the owner of its folder; "-" is the standard input, and more than `maximum`
 * bytes are refused. The text lives as long as the process. */
struct text file_argument_read(const char *path, size_t maximum);

/* Makes a file that only its owner may read, as the owner of its folder (base/folder.h), and lets
 * `fill` write it. An existing file is never overwritten, unless it is empty. True: it is on the
 * disk. False: it does not exist, and the failure was reported. */
bool new_file_fill(const char *path, bool (*fill)(void *context, FILE *file), void *context);

/* -- Keys (keys.c) ----------------------------------------------------------------------------- */

struct listing;

/* Begins *listing in the invocation's arena, with the keys of all members, which have a column. */
void keys_collect_all(const struct invocation *invocation, struct listing *listing);

/* Prints a key or a token on its own line, unbuffered and directly from the caller's memory, which
 * the caller wipes. The byte after it, the NUL, becomes the line feed. False: it cannot be written,
 * even if the reader of a pipe is gone: SIGPIPE is ignored from then on. */
bool keys_print_secret(char *secret, size_t length);

/* Shows a link that holds a secret as a QR code for terminals, likewise through no buffer that
 * would keep it. False when it cannot be written. */
bool keys_print_qr_code(int file, const char *link);

#endif
