/* Shows a command's progress on the terminal if the command takes longer than a second. */
#include "admin/progress_line.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "store/log/logbook.h"

#define QUIET_MS 1000 /* time before the first line is shown */
#define INTERVAL_MS 200
#define LINE_COLUMNS 60
#define BAR_COLUMNS 20

static int64_t began_ms; /* start of the command; 0: standard error is not a terminal */
static int terminal;     /* copy of standard error at the start, unaffected by later redirection */
static int64_t shown_ms; /* time at which the line was last shown; 0: no line is on the terminal */

void progress_line_show(const char *phase, int64_t done, int64_t total)
{
    static const char bar[BAR_COLUMNS + 1] = "####################";
    char line[LINE_COLUMNS + 1];
    int64_t now_ms = clock_monotonic_ms();
    if (!began_ms || now_ms - began_ms < QUIET_MS || now_ms - shown_ms < INTERVAL_MS)
        return;
    if (!phase)
        phase = "working";
    if (total > 0)
        format_cut(line, sizeof line, "%s: %lld %% [%-*.*s]", phase,
                   (long long)(done * 100 / total), BAR_COLUMNS, (int)(done * BAR_COLUMNS / total),
                   bar);
    else
        format_cut(line, sizeof line, "%s: %lld s", phase, (long long)((now_ms - began_ms) / 1000));
    dprintf(terminal, "\r%-*s\r", LINE_COLUMNS, line);
    shown_ms = now_ms;
}

void progress_line_begin(void)
{
    if (!isatty(STDERR_FILENO))
        return;
    terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    began_ms = clock_monotonic_ms();
    store_show_progress(progress_line_show);
}

void progress_line_clear(void)
{
    if (shown_ms)
        dprintf(terminal, "\r%*s\r", LINE_COLUMNS, "");
    shown_ms = 0;
}
