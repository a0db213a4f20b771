/* The client of src/peers/answer.c. A peer is another club's machine: its data is bounded, checked
 * before it is stored, and at worst stops the visit with a message. The store decides what is
 * stored and requested next. */
#include "peers/visit.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "http/client.h"
#include "json/list.h"
#include "json/read.h"
#include "json/write.h"
#include "json/write_object.h"
#include "peers/wire.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "store/club/claims_fetch.h"
#include "store/club/claims_serve.h"
#include "store/log/logbook.h"
#include "store/club/peers.h"

#define REQUESTS_MAX 1000 /* per visit; the next one continues */
#define RESTARTS_MAX 3

static const struct json_bounds answer_bounds = {.items_max = JSON_ITEMS_MAX};

/* -- One request ------------------------------------------------------------------------------- */

static const char *explain_status(struct arena *arena, long status)
{
    if (status == 401)
        return "rejects our key: it may have removed this club";
    if (status >= 300 && status < 400)
        return "answers with a redirect, which we do not follow: its address may have changed";
    if (status == 404 || status == 405)
        return "does not support peers: it is an older version, or the address is wrong";
    if (status == 429 || status == 503)
        return "limits our requests; the next visit continues";
    return arena_print(arena, "answers with status %ld", status);
}

/* The answer is in *response. NULL, or why the request failed. */
static const char *post(struct arena *arena, const struct peer *peer, const char *path,
                        const char *authorization, const struct buffer *body, int64_t most_ms,
                        struct client_response *response)
{
    struct client_request request = {.method = "POST",
                                     .most_ms = most_ms,
                                     .headers = {"Content-Type: application/json", authorization},
                                     .body = {body->bytes, body->length}};
    request.url =
        arena_print(arena, "%.*s%s", (int)peer->address.length, peer->address.bytes, path);
    *response = (struct client_response){0};
    if (!client_keeps_secrets(request.url))
        return "is not queried: without TLS, others could read our key; pair again with its "
               "https:// address";
    *response = client_send(&request, arena);
    if (response->failure != CLIENT_ANSWERED)
        return arena_print(arena, "cannot be reached: %s", response->reason);
    return response->status == 200 ? NULL : explain_status(arena, response->status);
}

/* -- Pairing ----------------------------------------------------------------------------------- */

const char *visit_pair(struct arena *arena, const struct peer *peer, const char *secret,
                       const char *own_address, struct text own_club, struct text *club,
                       bool *refused)
{
    struct buffer body = {0};
    struct client_response response;
    const char *message;
    json_write_item(&body, json_text(WIRE_CODE, text_of(secret)),
                    json_text(WIRE_ADDRESS, text_of(own_address)), json_text(WIRE_CLUB, own_club),
                    json_text(WIRE_YOUR_KEY, peer->given_key),
                    json_text(WIRE_MY_KEY, peer->ask_key));
    const char *failure = post(arena, peer, WIRE_PAIR, NULL, &body, 0, &response);
    explicit_bzero(body.bytes, body.length);
    buffer_free(&body);
    *refused = response.status == 400;
    if (*refused)
        return "rejects the code: it was already used, has expired, or is for an address other "
               "than ours";
    if (failure)
        return failure;
    const struct json_fields *answer =
        json_read_object(text_of(response.body), &answer_bounds, arena, &message);
    if (!answer)
        return "sent an answer that cannot be read";
    struct text name = json_read_text(answer, WIRE_CLUB);
    bool fits = name.length > 0 && text_count_code_points(name) <= WIRE_CLUB_NAME_MAX &&
                !text_has_control(name);
    *club = fits ? name : (struct text){0};
    return NULL;
}

/* -- A page ------------------------------------------------------------------------------------ */

static bool is_short(struct text text, size_t bytes_max)
{
    return text.length > 0 && text.length <= bytes_max && !text_has_control(text);
}

static bool read_number(const struct json_value *value, struct text *number)
{
    *number = value->kind == JSON_STRING ? value->text : (struct text){0};
    return !value->lost && is_short(*number, WIRE_ID_BYTES_MAX);
}

static bool read_callsign(const struct json_value *value, struct match_callsign *callsign)
{
    if (value->kind != JSON_STRING || value->lost || text_has_control(value->text) ||
        text_count_code_points(value->text) > WIRE_CALLSIGN_MAX)
        return false;
    match_normalise_callsign(value->text, callsign);
    return callsign->length > 0;
}

/* The place of a choice's name; -1: not in the list. */
static int64_t read_choice(const struct json_value *value, enum field_index field)
{
    const char *const *choices = fields[field].choices;
    for (int i = 0; value->kind == JSON_STRING && choices[i]; i++)
        if (text_equals(value->text, text_of(choices[i])))
            return i;
    return -1;
}

/* NULL, or the field that cannot be. */
static const char *read_claim(const struct json_value *from, struct pulled_claim *claim)
{
    struct match_side *side = &claim->side;
    *claim = (struct pulled_claim){.side = {.confirmable = true, .mode_family = MATCH_NO_MODE}};
    if (!read_number(&from[WIRE_ID], &claim->number))
        return wire_claim_names[WIRE_ID];
    if (!read_callsign(&from[WIRE_STATION], &side->station))
        return wire_claim_names[WIRE_STATION];
    claim->station = from[WIRE_STATION].text;
    if (!read_callsign(&from[WIRE_WORKED], &side->worked))
        return wire_claim_names[WIRE_WORKED];
    side->band = read_choice(&from[WIRE_BAND], FIELD_BAND);
    if (side->band < 0)
        return wire_claim_names[WIRE_BAND];
    if (from[WIRE_CHANNEL].kind != JSON_MISSING && from[WIRE_CHANNEL].kind != JSON_NULL)
        side->channel = from[WIRE_CHANNEL].kind == JSON_INTEGER ? from[WIRE_CHANNEL].integer : -1;
    if (side->channel < 0 || side->channel > WIRE_CHANNEL_MAX)
        return wire_claim_names[WIRE_CHANNEL];
    if (from[WIRE_MODE_FAMILY].kind != JSON_MISSING && from[WIRE_MODE_FAMILY].kind != JSON_NULL) {
        side->mode_family = match_mode_family(read_choice(&from[WIRE_MODE_FAMILY], FIELD_MODE));
        if (side->mode_family < 0)
            return wire_claim_names[WIRE_MODE_FAMILY];
    }
    return from[WIRE_QSO_AT].kind == JSON_STRING &&
                   datetime_parse(from[WIRE_QSO_AT].text, &side->qso_at_ms)
               ? NULL
               : wire_claim_names[WIRE_QSO_AT];
}

static const char *read_list(struct arena *arena, const struct json_fields *answer,
                             const char *name, struct json_list *list)
{
    const struct json_list_plan plan = {.list = name,
                                        .elements_max = CLAIMING_ITEMS_MAX,
                                        .fields_max = WIRE_CLAIM_FIELDS + 8,
                                        .find = wire_find_claim_field};
    json_list_of(answer, &plan, arena, list);
    if (!list->is_array || list->count > CLAIMING_ITEMS_MAX)
        return arena_print(arena, "sent something other than a list of at most %d items as %s",
                           CLAIMING_ITEMS_MAX, name);
    for (size_t i = 0; i < list->count; i++)
        if (!list->elements[i])
            return arena_print(arena, "sent something other than objects as %s", name);
    return NULL;
}

static const char *read_lists(struct arena *arena, const struct json_fields *answer,
                              struct pull_page *page)
{
    struct json_list list;
    const char *failure = read_list(arena, answer, WIRE_CLAIM_LIST, &list);
    if (failure)
        return failure;
    page->claims = arena_allocate(arena, sizeof *page->claims * (list.count + 1));
    for (size_t i = 0; i < list.count; i++) {
        const char *field = read_claim(list.elements[i], &page->claims[i]);
        if (field)
            return arena_print(arena, "sent a claim with an invalid %s", field);
    }
    page->claim_count = list.count;
    failure = read_list(arena, answer, WIRE_WITHDRAWN_LIST, &list);
    if (failure)
        return failure;
    page->withdrawn = arena_allocate(arena, sizeof *page->withdrawn * (list.count + 1));
    for (size_t i = 0; i < list.count; i++)
        if (!read_number(&list.elements[i][WIRE_ID], &page->withdrawn[i]))
            return "sent a withdrawal without an id";
    page->withdrawn_count = list.count;
    return NULL;
}

static const char *read_page(struct arena *arena, struct text body, struct pull_page *page)
{
    const char *message;
    const struct json_fields *answer = json_read_object(body, &answer_bounds, arena, &message);
    if (!answer)
        return arena_print(arena, "sent an answer that cannot be read: it %s", message);
    page->next_cursor = json_read_text(answer, WIRE_NEXT_CURSOR);
    page->epoch = json_read_text(answer, WIRE_EPOCH);
    page->complete = json_read_flag(answer, WIRE_COMPLETE);
    if (!datetime_parse(json_read_text(answer, WIRE_SERVER_TIME), &page->server_time_ms) ||
        page->server_time_ms <= 0)
        return "sent an answer with an invalid serverTime";
    if (!is_short(page->epoch, WIRE_CURSOR_BYTES_MAX) ||
        (page->next_cursor.bytes && !is_short(page->next_cursor, WIRE_CURSOR_BYTES_MAX)))
        return "sent an answer with an invalid epoch or nextCursor";
    return read_lists(arena, answer, page);
}

/* -- A visit ----------------------------------------------------------------------------------- */

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

/* The reason why a visit ends with a page. A page that makes the visit start again ends it only if
 * that happens too often. */
static const char *const endings[] = {
    [PAGE_RESTARTS] = "restarts its list with every answer",
    [PAGE_OVERTAKEN] = "is being visited by another process",
    [PAGE_STRANGE] =
        "sent a claim about a callsign that was not requested; the whole answer was rejected",
    [PAGE_TOO_MANY] = "sent more claims than are accepted; the rest were ignored",
};

/* A slow peer, or one with very much to tell, takes no time from those that wait. */
static const char spent[] = "did not answer everything during this visit; the next visit continues";

/* The first question of a pull is waited for. The others are asked by a thread, so that the peer
 * works on a page while the last one is stored. */
struct question {
    const struct peer *peer;
    struct arena arena; /* owns all data of the answer */
    struct buffer body;
    int64_t end_ms; /* end of the visit */
    pthread_t thread;
    bool is_asked;
    struct pull_page page;
    const char *failure; /* NULL: the page is there */
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
    question->failure = post(arena, question->peer, WIRE_CLAIMS, authorization, &question->body,
                             left_ms > 0 ? left_ms : 1, &response);
    explicit_bzero(authorization, strlen(authorization));
    if (!question->failure)
        question->failure = read_page(arena, text_of(response.body), &question->page);
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
    struct arena arena; /* until the pull ends */
    struct pull pull;
    bool is_pulling;
    struct question questions[2]; /* the present one, and the next */
    int restarts;
    int pages;      /* pages stored */
    int64_t end_ms; /* by the monotonic clock */
    const char *failure;
};

/* The requested page. A pull continues from page to page without starting again. STORE_NONE: the
 * visit is complete. */
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

/* Asks once, and stores what comes. STORE_NONE: the visit has nothing left to ask. */
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

/* STORE_NONE: the peer has answered everything. */
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
