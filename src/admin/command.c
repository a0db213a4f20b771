/* Prints messages on standard error, and ends the program with an exit status. Each message is one
 * line, whatever it contains. This file does not depend on any command. */
#include "admin/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "admin/progress_line.h"
#include "base/format.h"
#include "base/log.h"

static int exit_status = EXIT_DONE;

static void tell(const char *hint, const char *format, va_list arguments)
{
    char message[1024];
    progress_line_clear();
    format_cut_list(message, sizeof message, format, arguments);
    log_line("%s%s", message, hint);
}

void command_print_error(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell("", format, arguments);
    va_end(arguments);
    exit_status = status == EXIT_DONE ? exit_status : status;
}

int command_finish(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        command_fail("cannot write to standard output");
    return exit_status;
}

void command_end(int status, const char *hint, const char *format, ...)
{
    va_list arguments;
    if (fflush(stdout) != 0)
        exit(command_finish());
    va_start(arguments, format);
    tell(hint, format, arguments);
    va_end(arguments);
    exit(status);
}

void command_require_done(enum store_result result)
{
    if (result != STORE_DONE)
        exit(EXIT_REFUSED);
}
