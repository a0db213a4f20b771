/* Simulates a kernel without IPv6. This library refuses sockets for IPv6. Only tests preload it
 * into programs. */
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
