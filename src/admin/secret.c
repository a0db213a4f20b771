/* Prints secrets directly from memory, so that no buffer keeps them. */
#include "admin/secret.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/buffer.h"
#include "links/setup_link.h"

bool secret_print(char *secret, size_t length)
{
    signal(SIGPIPE, SIG_IGN);
    secret[length] = '\n';
    return write(STDOUT_FILENO, secret, length + 1) == (ssize_t)length + 1;
}

bool secret_print_qr_code(int file, const char *link)
{
    struct buffer lines = {0};
    signal(SIGPIPE, SIG_IGN);
    bool printed = qr_code_append_lines(link, &lines) &&
                   write(file, lines.bytes, lines.length) == (ssize_t)lines.length;
    if (lines.length > 0)
        explicit_bzero(lines.bytes, lines.length);
    buffer_free(&lines);
    return printed;
}
