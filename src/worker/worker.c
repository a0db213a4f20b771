/* Runs a worker of either program: starts, waits for requests, opens the store, counts each
 * request, passes the request to the router, and ends. This file contains the steps before every
 * answer. router.c and the program's routes build the answer and check access. */
#include "worker/worker.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/api_key.h"
#include "base/budget.h"
#include "base/format.h"
#include "base/log.h"
#include "base/network.h"
#include "installation.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"
#include "store/log/tombstones.h"
#include "store/people/reviews.h"
#include "store/storage.h"
#include "worker/sandbox.h"
#include "worker/trial.h"

#define LARGE_PIECE_BYTES (256 * 1024)
#define SMALL_PIECE_BYTES_MIN 24 /* size classes, as in glibc */
#define SMALL_PIECE_BYTES_MAX 1032
#define SMALL_PIECE_BYTES_STEP 16
#define KEPT_OF_A_SIZE 7
#define EXIT_SETTING 78 /* EX_CONFIG in sysexits.h, for which systemd has a name */

static const char *lookup_setting(void *gateway, const char *name)
{
    return gateway_variable(gateway, name);
}

const char *worker_setting_text(const struct request *request, enum setting_index setting)
{
    return settings_text(setting, lookup_setting, request->gateway);
}

int64_t worker_setting_number(const struct request *request, enum setting_index setting)
{
    return settings_number(setting, lookup_setting, request->gateway);
}

/* Logs that the logbook is missing. If the default path is used, suexec may have removed the
 * setting for a logbook elsewhere. A second logbook would hide this fault. */
static void log_missing(const char *path, const struct request *request)
{
    if (settings_find(SETTING_DB, lookup_setting, request->gateway))
        log_line("%s is not a QSOsync logbook yet; create one with: qsosync-admin --db %s init",
                 path, path);
    else
        log_line("QSOSYNC_DB is not set here, and the default, %s, is not a QSOsync logbook; if "
                 "there is no logbook elsewhere, create one with: qsosync-admin "
                 "--db %s init",
                 path, path);
}

static void close_store(struct worker *worker)
{
    store_close(worker->store);
    worker->store = NULL;
    worker->shares.entry = -1;
    shared_file_close(&worker->limit);
}

static void open_limits(struct worker *worker, const char *path)
{
    if (!worker->limit.map && !rate_limit_open(&worker->limit, path))
        log_line("%s-limits: cannot open the table of the request limit: %s", path,
                 strerror(errno));
    if (worker->shares.entry < 0)
        shares_enter(&worker->shares);
}

/* Creates the worker's entry in the table of shares. A worker counts from its start, not only from
 * its first request. */
static void enter_shares(struct worker *worker, const struct worker_program *program,
                         const struct gateway *gateway)
{
    const char *path = settings_find(SETTING_DB, NULL, NULL);
    worker->shares = (struct shares){.table = &worker->limit,
                                     .program = program->number,
                                     .socket = gateway_socket(gateway),
                                     .entry = -1};
    if (path && !gateway_is_cgi(gateway) && access(path, F_OK) == 0)
        open_limits(worker, path);
}

/* Opens the database that the settings name, unless it is already open. A worker that serves
 * several requests prepares every statement before its first answer. If the schema lacks something,
 * the worker refuses the whole database. Returns false, after a line in the system log, if the
 * database cannot be opened now; the next request tries again. */
static bool open_store(struct worker *worker, const struct request *request)
{
    const char *path = worker_setting_text(request, SETTING_DB);
    if (!worker->store || !store_is_current(worker->store, path)) {
        close_store(worker);
        enum opening opening = gateway_is_cgi(request->gateway) ? OPEN_BRIEFLY : OPEN_EXISTING;
        enum store_result result = store_open(path, opening, &worker->store);
        if (opening != OPEN_BRIEFLY)
            THEN(result, store_prepare(worker->store));
        worker->store_is_busy = result == STORE_BUSY;
        if (result == STORE_NONE)
            log_missing(path, request);
        if (result != STORE_DONE) {
            close_store(worker);
            return false;
        }
    }
    open_limits(worker, path);
    return true;
}

/* Returns an identifier for a request: a random prefix for each worker, followed by a number. Two
 * workers hardly ever have the same prefix. */
static const char *make_request_id(struct arena *arena)
{
    static uint32_t worker_id, number;
    if (number == 0 && getrandom(&worker_id, sizeof worker_id, GRND_NONBLOCK) < 0)
        worker_id = (uint32_t)getpid();
    return arena_print(arena, "%08x%08x", worker_id, number++);
}

/* Counts the request. Preflight requests are not counted. */
static void count_request(struct worker *worker, const struct worker_program *program,
                          struct exchange *exchange, struct rate_verdict *verdict)
{
    const struct request *request = exchange->request;
    struct rate_count count = {.group = RATE_LIMIT_API, .times = 1};
    if (request->method == METHOD_OPTIONS)
        return;
    if (program->choose_count)
        program->choose_count(exchange, &count);
    rate_limit_count(&worker->limit, &count, request->remote_address,
                     worker_setting_number(request, SETTING_RATE_LIMIT),
                     request->arrived_monotonic_ms, verdict);
}

/* Counts a new request. Returns the error if the request is refused before the request is routed,
 * and otherwise NULL. */
static const struct error *check_limits(struct worker *worker, const struct worker_program *program,
                                        struct exchange *exchange, struct asked *asked)
{
    const struct rate_verdict *verdict = &asked->verdict;
    if (asked->place < 0) {
        asked->since_ms = exchange->request->arrived_monotonic_ms;
        network_of(exchange->request->remote_address, &asked->client.network);
        count_request(worker, program, exchange, &asked->verdict);
    }
    if (verdict->counted) {
        response_add_header_number(&worker->response, "RateLimit-Limit", verdict->limit);
        response_add_header_number(&worker->response, "RateLimit-Remaining", verdict->remaining);
        response_add_header_number(&worker->response, "RateLimit-Reset", verdict->reset_seconds);
    }
    if (verdict->refused)
        return &error_rate_limited;
    return asked->place < 0 || asked->has_turn ? NULL : &error_share_used;
}

/* Serves the request. Returns false if the request waits for its turn, and is not answered yet. */
static bool answer(struct worker *worker, const struct worker_program *program,
                   struct exchange *exchange, struct asked *asked)
{
    const struct error *refusal = check_limits(worker, program, exchange, asked);
    exchange->client = &asked->client;
    if (!refusal && (asked->has_turn || shares_take(&worker->shares, &asked->client)) &&
        router_serve(program->router, exchange, NULL))
        return true;
    const struct request *request = exchange->request;
    const struct text body = {request->body, request->body_length};
    if (!refusal && waiting_add(&worker->waiting, request->gateway, &worker->shares, asked, body))
        return false;
    return router_serve(program->router, exchange, refusal ? refusal : &error_share_used);
}

/* The answer to a request that takes too long. The answer is built when the request begins, because
 * a signal handler must send it. */
static struct {
    const struct response *response;
    int64_t budget_ms;
    char text[512];
    size_t length;
} last_answer;

static void make_last_answer(const struct response *response, const char *request_id, int64_t ms)
{
    char body[128];
    const size_t length =
        format_cut(body, sizeof body, "{\"error\":{\"code\":\"%s\"}}", error_internal.code);
    last_answer.response = response;
    last_answer.budget_ms = ms;
    last_answer.length = format_cut(
        last_answer.text, sizeof last_answer.text,
        "Status: %d Internal Server Error\r\nContent-Type: application/json\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: %s\r\n"
        "Content-Length: %zu\r\n\r\n%s",
        error_internal.status, request_id, length, response->head_only ? "" : body);
}

/* Sends the last answer, and ends the process, which cannot continue after a signal at an arbitrary
 * point. The end undoes uncommitted work and releases locks, as a kill would. */
static void end_request(void)
{
    if (!last_answer.response->sent)
        gateway_send_immediately(last_answer.response->gateway,
                                 (struct text){last_answer.text, last_answer.length});
    log_line("ended with %s: a step took more than %lld ms of processor time "
             "(QSOSYNC_REQUEST_CPU_MS)",
             error_internal.code, (long long)last_answer.budget_ms);
    _exit(1);
}

/* Switches on or off whether free() overwrites memory. Keys, tokens and passwords pass through the
 * memory of libraries, and a worker can wait for its next request for days. Overwriting takes a
 * tenth of the time for a batch of QSOs. Wiping small pieces takes a quarter of the time for a
 * request without changes. A program whose bodies contain no secrets overwrites only the
 * memory that gateway_finish frees. */
static void overwrite_what_is_freed(bool on)
{
    mallopt(M_PERTURB, on); /* 0: off; any other value: on */
}

/* Clears small pieces that were freed. glibc keeps the last few pieces of each size for the next
 * use, and does not overwrite them (tcache). If each piece is allocated once, its content can be
 * cleared. libqrencode, for example, frees copies of a new key in such pieces. */
static void wipe_small_pieces(void)
{
    void *pieces[KEPT_OF_A_SIZE];
    for (size_t bytes = SMALL_PIECE_BYTES_MIN; bytes <= SMALL_PIECE_BYTES_MAX;
         bytes += SMALL_PIECE_BYTES_STEP) {
        for (int i = 0; i < KEPT_OF_A_SIZE; i++)
            if ((pieces[i] = malloc(bytes)) != NULL)
                explicit_bzero(pieces[i], bytes);
        for (int i = 0; i < KEPT_OF_A_SIZE; i++)
            free(pieces[i]);
    }
}

/* Releases the memory of the request, and wipes its content. Also does short tasks for the store,
 * such as a checkpoint. */
static void clean_up(struct worker *worker, const struct worker_program *program,
                     const struct exchange *exchange, const char *logbook_path)
{
    overwrite_what_is_freed(program->has_secret_bodies);
    store_checkpoint(exchange->store);
    if (exchange->is_trial)
        store_close(exchange->store);
    store_review_some(worker->store);
    trial_remove_old(worker->store, logbook_path, &worker->arena);
    response_release(&worker->response);
    arena_reset(&worker->arena);
    if (program->has_secret_bodies)
        wipe_small_pieces();
}

static void apply_settings(struct store *store, const struct request *request)
{
    store_set_write_wait(store, worker_setting_number(request, SETTING_WRITE_WAIT_MS));
    store_set_tombstone_days(store, worker_setting_number(request, SETTING_TOMBSTONE_DAYS));
    store_set_history(store, worker_setting_number(request, SETTING_HISTORY_DAYS),
                      worker_setting_number(request, SETTING_HISTORY_STATES));
    store_set_storage(store, worker_setting_number(request, SETTING_MEMBER_MIB) << 20);
}

static void serve(struct worker *worker, const struct worker_program *program,
                  struct gateway *gateway, struct asked *asked)
{
    struct request request;
    request_read(&request, program->root, gateway, &worker->arena);
    struct response *response = &worker->response;
    const char *request_id = make_request_id(&worker->arena);
    log_set_request(request_id);
    /* a copy, because the request's variables end with the answer */
    const char *path = arena_print(&worker->arena, "%s", worker_setting_text(&request, SETTING_DB));
    response_reset(response, gateway, path, request.method == METHOD_HEAD);
    response_add_header(response, "X-Request-Id", request_id);
    response_add_header(response, "X-Content-Type-Options", "nosniff");

    gateway_set_send_wait(gateway, worker_setting_number(&request, SETTING_SEND_WAIT_MS));
    open_store(worker, &request);
    const int64_t budget_ms = worker_setting_number(&request, SETTING_REQUEST_CPU_MS);
    make_last_answer(response, request_id, budget_ms);
    budget_begin(budget_ms, end_request);
    struct exchange exchange = {.request = &request,
                                .response = response,
                                .body = &response->body,
                                .arena = &worker->arena,
                                .store = worker->store,
                                .limit = &worker->limit,
                                .shares = &worker->shares,
                                .store_error =
                                    worker->store_is_busy ? &error_busy : &error_internal};
    if (program->has_trials)
        trial_enter(&exchange, path);
    if (exchange.store)
        apply_settings(exchange.store, &request);
    const bool is_answered = answer(worker, program, &exchange, asked);
    budget_end();
    log_set_request("");

    overwrite_what_is_freed(true);
    if (is_answered)
        gateway_finish(gateway);
    clean_up(worker, program, &exchange, path);
    if (is_answered)
        shares_release(&worker->shares);
}

static int print_help(const struct worker_program *program)
{
    fputs(program->purpose, stdout);
    puts("It is a FastCGI worker (a listening socket on standard input) or a CGI program; the\n"
         "front server starts it.\n\n"
         "Settings, from the environment or the front server's request variables:");
    settings_print();
    return fflush(stdout) != 0 || ferror(stdout);
}

int worker_main(const struct worker_program *program, int argument_count, char **arguments)
{
    static struct worker worker = {.limit = {.file = -1}};
    struct asked asked;

    log_set_program(program->name);
    log_show_time();
    api_key_start_small();
    sandbox_drop_rights();
    /* Returns the memory of one large body to the system immediately. Otherwise, after the first
     * large piece, the C library would keep later pieces of that size. */
    mallopt(M_MMAP_THRESHOLD, LARGE_PIECE_BYTES);
    mallopt(M_TRIM_THRESHOLD, LARGE_PIECE_BYTES);
    overwrite_what_is_freed(program->has_secret_bodies);
    /* without "=", a query becomes arguments of a CGI program (RFC 3875, section 4.4) */
    bool is_typed = argument_count > 1 && !getenv("GATEWAY_INTERFACE");
    if (is_typed && strcmp(arguments[1], "--version") == 0)
        return printf("%s %s\n", program->name, QSOSYNC_VERSION) < 0;
    if (is_typed && strcmp(arguments[1], "--help") == 0)
        return print_help(program);
    if (is_typed && strcmp(arguments[1], "--routes") == 0) {
        routes_print(program->router->routes);
        return fflush(stdout) != 0;
    }
    if (!routes_check(program->router->routes) || !settings_check())
        return EXIT_SETTING;
    if (is_typed && strcmp(arguments[1], "--check") == 0)
        return 0;
    struct gateway *gateway = gateway_open();
    if (!gateway)
        return 1;
    if (settings_number(SETTING_SANDBOX, NULL, NULL))
        sandbox_enter(settings_find(SETTING_DB, NULL, NULL));
    enter_shares(&worker, program, gateway);
    while (waiting_next(&worker.waiting, gateway, &worker.shares, &asked))
        serve(&worker, program, gateway, &asked);
    close_store(&worker);
    /* after a single request, the memory returns to the system, which wipes it, when the process
     * ends */
    if (!gateway_is_cgi(gateway)) {
        response_free(&worker.response);
        arena_free(&worker.arena);
    }
    return 0;
}
