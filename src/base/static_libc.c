/* Replaces functions of libc in the portable programs (configure --enable-portable). glibc's own
 * functions would load the machine's modules, which belong to another libc. The replacements
 * load no modules, use no network, and read users and groups only from /etc/passwd and
 * /etc/group. */
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <iconv.h>
#include <netdb.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void *__wrap_dlopen(const char *file, int mode)
{
    (void)file, (void)mode;
    return NULL;
}

void *__wrap_dlsym(void *restrict handle, const char *restrict name)
{
    (void)handle, (void)name;
    return NULL;
}

int __wrap_dlclose(void *handle)
{
    (void)handle;
    return -1;
}

char *__wrap_dlerror(void)
{
    static char reason[] = "a portable program loads no library";
    return reason;
}

int __wrap_getaddrinfo(const char *restrict name, const char *restrict service,
                       const struct addrinfo *restrict wanted, struct addrinfo **restrict found)
{
    (void)name, (void)service, (void)wanted, (void)found;
    return EAI_FAIL;
}

void __wrap_freeaddrinfo(struct addrinfo *found)
{
    (void)found;
}

struct hostent *__wrap_gethostbyname(const char *name)
{
    (void)name;
    return NULL;
}

/* Converts no text, because character encodings are loadable modules of libc. */
iconv_t __wrap_iconv_open(const char *to, const char *from)
{
    (void)to, (void)from;
    errno = EINVAL;
    return (iconv_t)-1;
}

size_t __wrap_iconv(iconv_t converter, char **in, size_t *in_left, char **out, size_t *out_left)
{
    (void)converter, (void)in, (void)in_left, (void)out, (void)out_left;
    errno = EINVAL;
    return (size_t)-1;
}

int __wrap_iconv_close(iconv_t converter)
{
    (void)converter;
    return 0;
}

/* Finds a user by name, or by number if the name is NULL. */
static struct passwd *find_user(const char *name, uid_t number)
{
    static FILE *file;
    struct passwd *user;
    if (file)
        fclose(file);
    file = fopen("/etc/passwd", "re");
    while (file && (user = fgetpwent(file)) != NULL)
        if (name ? strcmp(user->pw_name, name) == 0 : user->pw_uid == number)
            return user;
    return NULL;
}

struct passwd *__wrap_getpwnam(const char *name)
{
    return find_user(name, 0);
}

struct passwd *__wrap_getpwuid(uid_t number)
{
    return find_user(NULL, number);
}

static bool has_member(const struct group *group, const char *user)
{
    for (char **member = group->gr_mem; *member; member++)
        if (strcmp(*member, user) == 0)
            return true;
    return false;
}

int __wrap_getgrouplist(const char *user, gid_t first, gid_t *groups, int *count)
{
    int size = *count;
    FILE *file = fopen("/etc/group", "re");
    const struct group *group;
    *count = 0;
    if ((*count)++ < size)
        groups[0] = first;
    while (file && (group = fgetgrent(file)) != NULL)
        if (group->gr_gid != first && has_member(group, user) && (*count)++ < size)
            groups[*count - 1] = group->gr_gid;
    if (file)
        fclose(file);
    return *count <= size ? *count : -1;
}
