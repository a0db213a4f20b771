/* Runs sendmail without a shell: the address is an argument of its own, after "--". */
#include "alerts/mail.h"

#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"

extern char **environ;

static void write_message(int file, struct text address, const struct template_values *values)
{
    struct arena arena = {0};
    struct buffer mail = {0};
    const struct text subject = template_fill(text_of("{title}"), values, TEMPLATE_HEADER, &arena);
    buffer_print(&mail,
                 "To: %.*s\nSubject: %s\nAuto-Submitted: auto-generated\nMIME-Version: 1.0\n"
                 "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
                 "%.*s\n%.*s\n%.*s\n",
                 (int)address.length, address.bytes, subject.bytes, (int)values->title.length,
                 values->title.bytes, (int)values->text.length, values->text.bytes,
                 (int)values->link.length, values->link.bytes);
    for (size_t at = 0; at < mail.length;) {
        const ssize_t written = write(file, mail.bytes + at, mail.length - at);
        if (written <= 0)
            break;
        at += (size_t)written;
    }
    buffer_free(&mail);
    arena_free(&arena);
}

bool mail_send(const char *program, struct text address, const struct template_values *values)
{
    struct arena arena = {0};
    char *const arguments[] = {arena_copy(&arena, program, strlen(program)),
                               arena_copy(&arena, "-i", 2), arena_copy(&arena, "--", 2),
                               arena_copy(&arena, address.bytes, address.length), NULL};
    posix_spawn_file_actions_t actions;
    int ends[2], status = -1;
    pid_t child;
    if (pipe(ends) != 0)
        return false;
    signal(SIGPIPE, SIG_IGN);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const bool is_begun = posix_spawn(&child, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (is_begun)
        write_message(ends[1], address, values);
    close(ends[1]);
    if (is_begun)
        waitpid(child, &status, 0);
    arena_free(&arena);
    return is_begun && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
