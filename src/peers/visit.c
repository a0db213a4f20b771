/* Visits a peer: requests, page by page, the QSOs that the peer's members claim to have had with
 * our members. A peer is another club's machine: at worst, a bad answer ends the visit with a
 * message. claims_page.c checks the peer's answers. The store decides what is stored, and what is
 * requested next. */
#include "peers/visit.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "http/client.h"
#include "json/write.h"
#include "json/write_object.h"
#include "peers/ask.h"
#include "peers/claims_page.h"
#include "peers/wire.h"
#include "store/club/claims_fetch.h"
#include "store/club/claims_serve.h"
#include "store/club/peers.h"

/* maximum number of pages per visit; the next visit continues after the last page */
#define REQUESTS_MAX 1000
#define RESTARTS_MAX 3

static void write_question(struct buffer *body, const struct pull *pull, struct text cursor)
{
    buffer_append(body, "{", 1);
    json_begin_array(body, WIRE_MEMBERS);
    for (size_t i = 0; i < pull->count; i++)
        json_write_item(body,
                        json_text(wire_member_names[WIRE_MEMBER_CALLSIGN], pull->callsigns[i]),
                        json_time(wire_member_names[WIRE_MEMBER_SINCE], pull->since_ms));
    buffer_append(body, "]", 1);
    json_write_fields(body, json_text(WIRE_CURSOR, cursor),
                      json_integer(WIRE_LIMIT, CLAIMING_ITEMS_MAX));
    buffer_append(body, "}", 1);
}

/* Reasons why a page ends a visit. A page that makes the visit start again ends the visit only if
 * that happens too often. */
static const char *const endings[] = {
    [PAGE_RESTARTS] = "restarts its list with every answer",
    [PAGE_OVERTAKEN] = "is being visited by another process",
    [PAGE_STRANGE] =
        "sent a claim about a callsign that was not requested; the whole answer was rejected",
    [PAGE_TOO_MANY] = "sent more claims than are accepted; the rest were ignored",
};

/* The reason for ending a visit whose time or number of requests is used up. A slow peer, or a peer
 * with many claims, must not delay the visits to other peers. */
static const char spent[] = "did not answer everything during this visit; the next visit continues";

/* A request for claims. The visit waits for the first answer in a pull. A thread requests each
 * further page, so that the peer prepares a page while the previous page is stored. */
struct question {
    const struct peer *peer;
    struct arena arena; /* owns all data in the answer */
    struct buffer body;
    int64_t end_ms; /* time at which the visit ends */
    pthread_t thread;
    bool is_asked;
    struct pull_page page;
    const char *failure; /* the reason why the request failed; NULL: the page has arrived */
};

static void *ask(void *context)
{
    struct question *question = context;
    struct arena *arena = &question->arena;
    const struct text key = question->peer->ask_key;
    struct client_response response;
    const int64_t left_ms = question->end_ms - clock_monotonic_ms();
    char *authorization =
        arena_print(arena, "Authorization: Bearer %.*s", (int)key.length, key.bytes);
    const struct ask request = {.peer = question->peer,
                                .path = WIRE_CLAIMS,
                                .authorization = authorization,
                                .body = &question->body,
                                .most_ms = left_ms > 0 ? left_ms : 1};
    question->failure = ask_peer(arena, &request, &response);
    explicit_bzero(authorization, strlen(authorization));
    if (!question->failure)
        question->failure = claims_page_read(arena, text_of(response.body), &question->page);
    else if (response.failure == CLIENT_TIMEOUT && clock_monotonic_ms() >= question->end_ms)
        question->failure = spent;
    return NULL;
}

static void begin_question(struct question *question, const struct pull *pull, struct text cursor,
                           bool waits)
{
    arena_reset(&question->arena);
    question->body.length = 0;
    question->page = (struct pull_page){0};
    write_question(&question->body, pull, cursor);
    question->is_asked = !waits && pthread_create(&question->thread, NULL, ask, question) == 0;
    if (!question->is_asked)
        ask(question);
}

static void end_question(struct question *question)
{
    if (question->is_asked)
        pthread_join(question->thread, NULL);
    question->is_asked = false;
}

struct visit {
    struct store *store;
    struct arena arena; /* the arena for the current pull */
    struct pull pull;
    bool is_pulling;
    struct question questions[2]; /* the current request and the next request */
    int restarts;
    int pages;      /* number of pages stored so far */
    int64_t end_ms; /* time at which the visit ends, by the monotonic clock */
    const char *failure;
};

/* Stores the requested page. A pull continues from page to page without starting again. Returns
 * STORE_NONE if the visit is complete. */
static enum store_result take_page(struct visit *visit, const struct pull_page *page)
{
    const struct text cursor = page->next_cursor, epoch = page->epoch;
    enum page_outcome outcome = PAGE_TAKEN;
    enum store_result result = store_take_page(visit->store, &visit->pull, page, &outcome);
    if (result != STORE_DONE)
        return result;
    visit->is_pulling = outcome == PAGE_TAKEN && cursor.bytes;
    if (visit->is_pulling) {
        visit->pull.cursor.bytes = arena_copy(&visit->arena, cursor.bytes, cursor.length);
        visit->pull.cursor.length = cursor.length;
        visit->pull.epoch.bytes = arena_copy(&visit->arena, epoch.bytes, epoch.length);
        visit->pull.epoch.length = epoch.length;
    }
    visit->restarts += outcome == PAGE_RESTARTS;
    if (outcome != PAGE_RESTARTS || visit->restarts > RESTARTS_MAX)
        visit->failure = endings[outcome];
    bool ends = outcome == PAGE_TAKEN && visit->pull.is_last && !visit->is_pulling;
    return ends ? STORE_NONE : STORE_DONE;
}

/* Receives the answer to one request, and stores the page. Returns STORE_NONE if nothing is left to
 * request. */
static enum store_result pull_page(struct visit *visit, int number)
{
    struct question *question = &visit->questions[number % 2];
    struct question *next = &visit->questions[(number + 1) % 2];
    enum store_result result = STORE_DONE;
    if (!visit->is_pulling) {
        arena_reset(&visit->arena);
        result = store_begin_pull(visit->store, &visit->arena, question->peer->id, number == 0,
                                  &visit->pull);
        if (result != STORE_DONE || !visit->pull.count)
            return result == STORE_DONE ? STORE_NONE : result;
        begin_question(question, &visit->pull, visit->pull.cursor, true);
    }
    end_question(question);
    visit->failure = question->failure;
    if (visit->failure)
        return STORE_DONE;
    if (question->page.next_cursor.bytes)
        begin_question(next, &visit->pull, question->page.next_cursor, false);
    result = take_page(visit, &question->page);
    visit->pages++;
    if (!visit->is_pulling)
        end_question(next);
    return result;
}

/* Requests pages until the peer has answered everything, or the visit ends. Returns STORE_NONE if
 * the peer has answered everything. */
static enum store_result ask_all(struct visit *visit)
{
    enum store_result result = STORE_DONE;
    int requests = 0;
    for (; result == STORE_DONE && !visit->failure && requests < REQUESTS_MAX &&
           clock_monotonic_ms() < visit->end_ms;
         requests++)
        result = pull_page(visit, requests);
    if (result == STORE_DONE && !visit->failure)
        visit->failure = spent;
    return result;
}

enum store_result visit_peer(struct store *store, struct arena *arena, const struct peer *peer,
                             int64_t most_ms, struct visit_end *end)
{
    struct visit *visit = arena_allocate_zeroed(arena, sizeof *visit);
    visit->store = store;
    visit->end_ms = clock_monotonic_ms() + most_ms;
    for (int i = 0; i < 2; i++) {
        visit->questions[i].peer = peer;
        visit->questions[i].end_ms = visit->end_ms;
    }
    enum store_result result = ask_all(visit);
    *end = (struct visit_end){.has_failed =
                                  visit->failure && (visit->failure != spent || !visit->pages)};
    if (visit->failure)
        end->reason = arena_print(arena, "%s", visit->failure);
    if (result == STORE_DONE || (result == STORE_NONE && !visit->pull.count))
        result = store_record_visit(visit->store, peer->id, end->has_failed ? end->reason : NULL,
                                    result == STORE_NONE);
    for (int i = 0; i < 2; i++) {
        end_question(&visit->questions[i]);
        buffer_free(&visit->questions[i].body);
        arena_free(&visit->questions[i].arena);
    }
    arena_free(&visit->arena);
    return result == STORE_NONE ? STORE_DONE : result;
}
