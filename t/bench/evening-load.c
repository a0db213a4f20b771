/* Simulates the phones and loggers of a club on a contest evening, in one cheap process whose cost
 * a bench can measure separately. The process uses only QSOsync's API.
 *
 *   evening-load keys NUMBER            prints NUMBER API keys, each with its fingerprint
 *   evening-load idle|evening PORT SECONDS MEMBERS NEWCOMERS TIME DELETED
 *
 * MEMBERS is a file of lines "key callsign"; NEWCOMERS is a file of lines "key cursor cursor ...",
 * the pages that each newcomer downloads. Each member's logger and phone synchronise every 30 s,
 * the logger with /logs and /logs/ids, the phone with includeDeleted. Each minute the logger also
 * sends a QSO with a neighbouring member in the file, with a spot; one QSO in DELETED is deleted
 * again. Each logger, phone and newcomer has its own address, 127.1.x.y. If idle, clients take
 * turns, with pauses between them.
 *
 * Prints a line for each endpoint: name, count, errors, p50, p99 and longest in microseconds. The
 * last line has the process's CPU time in ms, and the number of visits that lasted until the next
 * visit or the end. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/api_key.h"
#include "evening-client.h"

#define SECOND 1000000
#define IDLE_PAUSE (10 * 1000)

static const int64_t intervals[] = {30 * SECOND, 30 * SECOND, 60 * SECOND, 0}; /* indexed by role */

static struct client *clients;
static size_t client_count, busy, late;
static size_t *queue, queue_length; /* a heap of clients, ordered by due */
static int poll_file;

static void swap(size_t one, size_t other)
{
    size_t kept = queue[one];
    queue[one] = queue[other];
    queue[other] = kept;
}

static bool is_earlier(size_t one, size_t other)
{
    return clients[queue[one]].due < clients[queue[other]].due;
}

static void queue_add(size_t number)
{
    size_t place = queue_length++;
    queue[place] = number;
    for (; place > 0 && is_earlier(place, (place - 1) / 2); place = (place - 1) / 2)
        swap(place, (place - 1) / 2);
}

static size_t queue_take(void)
{
    size_t first = queue[0], place = 0, child;
    queue[0] = queue[--queue_length];
    while ((child = 2 * place + 1) < queue_length) {
        if (child + 1 < queue_length && is_earlier(child + 1, child))
            child++;
        if (!is_earlier(child, place))
            break;
        swap(place, child);
        place = child;
    }
    return first;
}

static void handle_events(int64_t wait_us)
{
    struct epoll_event events[256];
    int wait_ms = wait_us <= 0 ? 0 : (int)((wait_us + 999) / 1000);
    int count = epoll_wait(poll_file, events, 256, wait_ms);
    for (int i = 0; i < count; i++)
        evening_go_on(events[i].data.ptr);
}

static void begin_visit(struct client *client)
{
    busy++;
    evening_begin_visit(client);
}

static void note_end(struct client *client)
{
    busy--;
    if (intervals[client->role] == 0)
        return;
    client->due += intervals[client->role];
    if (client->due < evening_now()) {
        late++;
        client->due = evening_now();
    }
    queue_add((size_t)(client - clients));
}

static void run_evening(int64_t end)
{
    const int64_t start = evening_now(), length = end - start;
    for (size_t i = 0; i < client_count; i++) {
        int64_t interval = intervals[clients[i].role];
        clients[i].due = start + (int64_t)(drand48() * (double)(interval ? interval : length / 2));
        queue_add(i);
    }
    while (evening_now() < end) {
        while (queue_length && clients[queue[0]].due <= evening_now() && evening_now() < end)
            begin_visit(&clients[queue_take()]);
        int64_t wait = queue_length ? clients[queue[0]].due - evening_now() : SECOND;
        handle_events(wait < SECOND ? wait : SECOND);
    }
    for (end += 30 * SECOND; busy && evening_now() < end;)
        handle_events(SECOND);
}

/* Runs one visit after another. Each role is as frequent as in the evening. */
static void run_idle(int64_t end, size_t members)
{
    while (evening_now() < end) {
        size_t member = (size_t)random() % members;
        long chance = random() % 100;
        size_t number = MEMBER_ROLES * member + (chance < 38   ? LOGGER
                                                 : chance < 76 ? PHONE
                                                               : SENDER);
        if (chance >= 98 && client_count > MEMBER_ROLES * members)
            number =
                MEMBER_ROLES * members + (size_t)random() % (client_count - MEMBER_ROLES * members);
        queue_length = 0;
        begin_visit(&clients[number]);
        while (busy)
            handle_events(SECOND);
        usleep(IDLE_PAUSE);
    }
}

static char **read_lines(const char *path, size_t *count)
{
    static char line[8192];
    char **lines = NULL;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    for (*count = 0; fgets(line, sizeof line, file); ++*count) {
        line[strcspn(line, "\n")] = '\0';
        char **more = realloc(lines, (*count + 1) * sizeof *lines);
        if (!more || !(more[*count] = strdup(line)))
            abort();
        lines = more;
    }
    fclose(file);
    return lines;
}

static void prepare(char **members, size_t member_count, char **newcomers, size_t newcomer_count,
                    const char *time)
{
    clients = calloc(MEMBER_ROLES * member_count + newcomer_count, sizeof *clients);
    queue = calloc(MEMBER_ROLES * member_count + newcomer_count, sizeof *queue);
    if (!clients || !queue)
        abort();
    for (size_t i = 0; i < member_count; i++)
        strtok(members[i], " ");
    for (size_t i = 0; i < MEMBER_ROLES * member_count; i++) {
        size_t member = i / MEMBER_ROLES,
               partner = (member ^ 1) < member_count ? member ^ 1 : member;
        struct client *client = &clients[client_count++];
        client->role = (enum role)(i % MEMBER_ROLES);
        client->key = members[member];
        client->partner = members[partner] + strlen(members[partner]) + 1;
        client->number = (uint32_t)(2 * member + 1 + (client->role == PHONE));
        snprintf(client->since, sizeof client->since, "%s", time);
    }
    for (size_t i = 0; i < newcomer_count; i++) {
        struct client *client = &clients[client_count++];
        client->role = NEWCOMER;
        client->number = (uint32_t)(2 * member_count + 1 + i);
        client->key = strtok(newcomers[i], " ");
        for (int cursor = 0;
             cursor < CURSORS_MAX - 1 && (client->cursors[cursor] = strtok(NULL, " "));)
            cursor++;
    }
    for (size_t i = 0; i < client_count; i++)
        clients[i].socket = -1;
}

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

static void print_times(void)
{
    struct rusage usage;
    for (int i = 0; i < ENDPOINTS; i++) {
        struct times *times = &evening_times[i];
        if (times->count == 0)
            continue;
        qsort(times->values, times->count, sizeof *times->values, compare);
        printf("%s\t%zu\t%zu\t%lld\t%lld\t%lld\n", evening_names[i], times->count, times->errors,
               (long long)times->values[times->count / 2],
               (long long)times->values[times->count * 99 / 100],
               (long long)times->values[times->count - 1]);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("load\t%ld\t%zu\n",
           (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
               (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000,
           late + busy);
}

static int print_keys(long count)
{
    for (long i = 0; i < count; i++) {
        char key[API_KEY_LENGTH + 1];
        unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
        api_key_make(API_KEY_KEY, key);
        api_key_fingerprint((struct text){key, API_KEY_LENGTH}, fingerprint);
        printf("%s ", key);
        for (size_t byte = 0; byte < sizeof fingerprint; byte++)
            printf("%02x", fingerprint[byte]);
        printf("\n");
    }
    return 0;
}

int main(int argument_count, char **arguments)
{
    struct rlimit files;
    size_t member_count, newcomer_count;
    if (argument_count == 3 && strcmp(arguments[1], "keys") == 0)
        return print_keys(atol(arguments[2]));
    if (argument_count != 8)
        return 2;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    signal(SIGPIPE, SIG_IGN);
    const char *seed = getenv("SEED"); /* the same seed repeats the same evening */
    srandom(seed ? (unsigned)atol(seed) : (unsigned)getpid());
    srand48(seed ? atol(seed) : (long)getpid());
    long deleted_one_in = atol(arguments[7]);
    if (deleted_one_in < 1)
        return 2;
    char **members = read_lines(arguments[4], &member_count);
    char **newcomers = read_lines(arguments[5], &newcomer_count);
    prepare(members, member_count, newcomers, newcomer_count, arguments[6]);
    poll_file = epoll_create1(EPOLL_CLOEXEC);
    evening_set_up(poll_file, atoi(arguments[2]), deleted_one_in, note_end);
    int64_t end = evening_now() + atol(arguments[3]) * SECOND;
    if (strcmp(arguments[1], "idle") == 0)
        run_idle(end, member_count);
    else
        run_evening(end);
    print_times();
    return 0;
}
