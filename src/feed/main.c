/* The program qsosync-cluster: the DX cluster feed for one client. The client's connection is
 * standard input, as passed by systemd (Accept=yes) or inetd, so QSOsync needs no daemon. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "feed/client.h"
#include "installation.h"
#include "worker/sandbox.h"
#include "worker/settings.h"

/* Keeps log lines from the client: inetd can connect standard error to the client, too. */
static void keep_log_from_client(void)
{
    struct stat in, errors;
    if (fstat(STDIN_FILENO, &in) == 0 && fstat(STDERR_FILENO, &errors) == 0 &&
        in.st_dev == errors.st_dev && in.st_ino == errors.st_ino &&
        !freopen("/dev/null", "w", stderr))
        exit(EXIT_FAILURE);
}

/* Prepares the connection. TCP's keep-alive detects dead connections. A small send buffer fills
 * soon if the client stops reading. */
static void prepare_connection(void)
{
    const int yes = 1, idle_s = 600, interval_s = 60, buffer_bytes = 65536;
    setsockopt(STDIN_FILENO, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
    setsockopt(STDIN_FILENO, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(STDIN_FILENO, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(STDIN_FILENO, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(STDIN_FILENO, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    signal(SIGPIPE, SIG_IGN);
}

/* Returns the name, or `otherwise` if the name contains a word that clients answer as a prompt. */
static const char *name_or(const char *name, const char *otherwise)
{
    return strcasestr(name, "login") || strcasestr(name, "password") || strpbrk(name, "\r\n")
               ? otherwise
               : name;
}

int main(int count, char **arguments)
{
    log_set_program("qsosync-cluster");
    if (count > 1 && strcmp(arguments[1], "--version") == 0)
        return puts("qsosync-cluster " QSOSYNC_VERSION) < 0;
    if (count > 1)
        return fputs("usage: qsosync-cluster; standard input is the client's connection\n",
                     stderr) < 0
                   ? 1
                   : 2;
    keep_log_from_client();
    sandbox_drop_rights();
    prepare_connection();
    const char *path = settings_text(SETTING_DB, NULL, NULL);
    const char *node = name_or(settings_text(SETTING_NODE, NULL, NULL), "QSOSYNC");
    const char *club = name_or(settings_text(SETTING_CLUB, NULL, NULL), "QSOsync");
    if (!settings_check())
        return 1;
    if (settings_number(SETTING_SANDBOX, NULL, NULL))
        sandbox_enter(path);
    client_serve(path, node, club);
    return 0;
}
