/* Writes lines for the operator on standard error.
 *
 * Each line is one write(2), short enough for a pipe to keep it whole, so that lines of several
 * workers do not mix. No message can move the terminal's cursor or begin a new line. Allocates
 * nothing, so that it can still report that memory has run out. */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/format.h"
#include "base/text.h"
#include "base/text_visible.h"

/* The limit includes the newline. A pipe can split a text that is longer than PIPE_BUF, which is
 * 4096 bytes on Linux. */
#define LINE_BYTES_MAX 2048

static const char *program_name = "qsosync";
static const char *current_request = "";
static bool shows_time;
static char *kept; /* NULL: lines are written to standard error */

void log_set_program(const char *name)
{
    program_name = name;
}

void log_set_request(const char *request_id)
{
    current_request = request_id;
}

/* Returns whether standard error is systemd's journal. systemd passes the device and inode of its
 * stream in JOURNAL_STREAM. */
static bool is_journal(void)
{
    const char *journal = getenv("JOURNAL_STREAM");
    struct stat status;
    char own[48];
    if (!journal || fstat(STDERR_FILENO, &status) != 0)
        return false;
    format_cut(own, sizeof own, "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
    return strcmp(own, journal) == 0;
}

void log_show_time(void)
{
    shows_time = !isatty(STDERR_FILENO) && !is_journal();
}

void log_keep_first(char first[LOG_KEPT_BYTES])
{
    kept = first;
    if (kept)
        *kept = '\0';
}

/* Writes the beginning of a line, before the message: the time, the program's name and the request.
 * Returns the length. */
static size_t begin_line(char line[LINE_BYTES_MAX])
{
    char time[DATETIME_TEXT_LENGTH + 2] = "";
    const bool has_request = current_request[0] != '\0';
    if (shows_time) {
        datetime_format(clock_wall_ms(), time);
        time[DATETIME_TEXT_LENGTH] = ' ';
    }
    return format_cut(line, LINE_BYTES_MAX, "%s%s: %s%s%s", time, program_name,
                      has_request ? "[" : "", current_request, has_request ? "] " : "");
}

void log_line(const char *format, ...)
{
    char line[LINE_BYTES_MAX];
    const int saved_errno = errno;
    size_t length = kept ? 0 : begin_line(line);
    va_list arguments;
    va_start(arguments, format);
    length += format_cut_list(line + length, sizeof line - length, format, arguments);
    va_end(arguments);
    text_replace_control(line, length);
    if (kept && !*kept)
        format_cut(kept, LOG_KEPT_BYTES, "%.*s", (int)length, line);
    line[length++] = '\n';
    while (!kept && write(STDERR_FILENO, line, length) < 0 && errno == EINTR) {
    }
    errno = saved_errno;
}
