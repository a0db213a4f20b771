/* A kernel without IPv6: preloaded into a program, it refuses sockets of that family. Only for
 * tests. */
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

int socket(int family, int type, int protocol)
{
    int (*real)(int, int, int) = (__typeof__(&socket))dlsym(RTLD_NEXT, "socket");
    if (family == AF_INET6) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    return real(family, type, protocol);
}
