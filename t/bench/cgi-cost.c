/* Measures the cost of starting a program. Runs PROGRAM with its arguments N times, one after the
 * other, with the current environment. Prints the CPU time of one run in ms. cgi-cost N PROGRAM...
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double children_ms(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

int main(int count, char **arguments)
{
    posix_spawn_file_actions_t files;
    int runs = count > 2 ? atoi(arguments[1]) : 0;
    if (runs < 1)
        return 2;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    double start_ms = children_ms();
    bool done = true;
    for (int i = 0; i < runs && done; i++) {
        pid_t child;
        int status;
        done = posix_spawn(&child, arguments[2], &files, NULL, arguments + 2, environ) == 0 &&
               waitpid(child, &status, 0) == child && status == 0;
    }
    if (done)
        printf("%.4f\n", (children_ms() - start_ms) / runs);
    posix_spawn_file_actions_destroy(&files);
    return done ? 0 : 1;
}
