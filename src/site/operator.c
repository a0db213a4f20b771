/* Helps the routes of the operator's page: finds the member whom a path names, and chooses the
 * error if the store refuses. access.c decides who may use them; bodies are read as those of the
 * profile (profile.c). */
#include "site/operator.h"

#include <string.h>

#include "doctor/doctor.h"
#include "json/write.h"
#include "recovery/facts.h"
#include "site/access.h"
#include "site/site_error.h"
#include "store/club/club.h"
#include "store/people/keys.h"
#include "store/log/logbook.h"
#include "store/people/members.h"
#include "store/people/sessions.h"
#include "store/storage.h"
#include "store/transaction.h"
#include "worker/worker.h"

const struct error *operator_prepare(struct exchange *exchange)
{
    const char *path = exchange->route->path;
    const struct error *error = profile_prepare(exchange);
    if (error || !(strstr(path, "/members/{number}") || strstr(path, "/stations/{number}")))
        return error;
    return profile_store_error(store_find_member_by_number(exchange->store, exchange->arena,
                                                           exchange->number, &exchange->subject));
}

const struct error *operator_check_other(const struct exchange *exchange)
{
    return exchange->number == exchange->identity.member_id ? &site_error_own_membership : NULL;
}

const struct error *operator_read_callsign(struct exchange *exchange, struct text *callsign)
{
    return member_read_callsign(exchange->arena, json_read_text(exchange->sent, "callsign"),
                                callsign)
               ? NULL
               : input_refuse(exchange, "callsign", "must be 1 to 20 characters long");
}

const struct error *operator_store_error(struct exchange *exchange, enum store_result result,
                                         const struct error *refusal)
{
    const struct error *ended = result == STORE_DENIED ? access_check_again(exchange) : NULL;
    if (ended)
        return ended;
    return result == STORE_REFUSED ? refusal : profile_store_error(result);
}

/* GET /operator/data/me and log: who is signed in here, for how long the password that was given
 * counts, and the acts of operators, newest first. They are noted by the store, in the transaction
 * of each act (store/transaction.c). */

#define ACTS_PAGE 50

static const struct error *answer_me(struct exchange *exchange)
{
    json_write_fields(exchange->body, json_text("callsign", exchange->member.callsign),
                      json_number("number", exchange->member.id),
                      json_time("provedUntil", exchange->identity.proved_at_ms + SESSION_PROOF_MS));
    return NULL;
}

struct page {
    struct buffer *body;
    int64_t count, last;
    bool more;
};

static void add_act(void *context, const struct operator_act *act)
{
    struct page *page = context;
    page->more = page->count++ >= ACTS_PAGE;
    if (page->more)
        return;
    json_write_item(page->body, json_time("at", act->at_ms), json_text("operator", act->operator),
                    json_text("act", act->act), json_text("subject", act->subject),
                    json_text("details", act->details));
    page->last = act->number;
}

static const struct error *answer_log(struct exchange *exchange)
{
    struct page page = {.body = exchange->body};
    int64_t before = 0;
    TRY(input_read_integer(exchange, "before", 1, INT64_MAX, &before));
    json_begin_array(page.body, "items");
    const struct error *error = profile_store_error(
        store_list_operator_acts(exchange->store, before, ACTS_PAGE + 1, add_act, &page));
    buffer_append(page.body, "]", 1);
    json_write_fields(page.body, json_number_or_null("next", page.more ? page.last : 0));
    return error;
}

OPERATOR_ROUTE(operator_me, METHOD_GET, "me", 200, answer_me);
OPERATOR_ROUTE(operator_acts, METHOD_GET, "log", 200, answer_log);

/* GET /operator/data/health: the state of the logbook in the words of the commands status and
 * doctor, and recent refusals. The doctor's checks that a worker can make run here, on the worker's
 * own logbook; those of files, workers and units need a shell. */

#define REFUSALS_MAX 50

static void write_facts(struct buffer *body, const struct facts *facts)
{
    struct buffer value = {0};
    json_begin_array(body, "facts");
    for (const struct fact *fact = facts_rows; fact->label; fact++) {
        buffer_clear(&value);
        facts_append_value(&value, facts, fact);
        json_write_item(body, json_text("label", text_of(fact->label)),
                        json_text("value", (struct text){value.bytes, value.length}));
    }
    buffer_append(body, "]", 1);
    buffer_free(&value);
}

static void write_findings(struct exchange *exchange, const char *database)
{
    struct doctor doctor = {.arena = exchange->arena,
                            .database = database,
                            .store = exchange->store,
                            .is_worker = true,
                            .as_json = true};
    doctor_examine_as_worker(&doctor);
    json_write_name(exchange->body, "doctor");
    doctor_append_findings(&doctor, exchange->body);
}

static void add_count(void *context, const char *code, int64_t count)
{
    if (count != 0)
        json_write_item(context, json_text("code", text_of(code ? code : "OTHER")),
                        json_integer("count", count));
}

static void add_refusal(void *context, struct text callsign, struct text key,
                        const struct refusal *refusal)
{
    json_write_item(context, json_text("callsign", callsign), json_text("key", key),
                    json_time("at", refusal->refused_at_ms), json_text("code", refusal->code),
                    json_text("field", refusal->field), json_integer("count", refusal->entries));
}

#define STORAGE_ROWS 20

static void add_storage(void *context, struct text callsign, const struct storage *storage)
{
    json_write_item(
        context, json_text("callsign", callsign), json_integer("history", storage->history),
        json_integer("extraFields", storage->leftovers), json_integer("polo", storage->polo),
        json_integer("cards", storage->cards), json_integer("knownRecords", storage->known),
        json_integer("bytes", storage_sum(storage)));
}

/* The data that members have in addition to QSOs, largest first. */
static const struct error *write_storage(struct exchange *exchange)
{
    json_write_integer(exchange->body, "storageMax", store_storage_max(exchange->store));
    json_begin_array(exchange->body, "storage");
    enum store_result result =
        store_list_storage(exchange->store, STORAGE_ROWS, add_storage, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(result);
}

static const struct error *answer(struct exchange *exchange)
{
    const char *database = worker_setting_text(exchange->request, SETTING_DB);
    struct facts facts;
    TRY(profile_store_error(facts_read(exchange->store, database, exchange->arena, &facts)));
    write_facts(exchange->body, &facts);
    write_findings(exchange, database);
    TRY(write_storage(exchange));
    json_begin_array(exchange->body, "refused");
    store_list_rejection_counts(exchange->store, add_count, exchange->body);
    buffer_append_string(exchange->body, "],\"refusals\":[");
    enum store_result result =
        store_list_key_refusals(exchange->store, REFUSALS_MAX, add_refusal, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(result);
}

OPERATOR_ROUTE(operator_health, METHOD_GET, "health", 200, answer);

/* The switches of the operator's page: the club's own description, and uploads. A value that the
 * logbook does not have may come from a setting; the page shows the logbook's own row, as the
 * command club show does. */

static const struct error *answer_switches(struct exchange *exchange)
{
    struct club club;
    bool uploads = false;
    TRY(profile_store_error(store_read_club(exchange->store, exchange->arena, &club)));
    TRY(profile_store_error(store_read_uploads(exchange->store, &uploads)));
    json_write_flag(exchange->body, "uploads", uploads);
    for (int i = 0; i < CLUB_FIELDS; i++)
        json_write_fields(
            exchange->body, json_text(club_fields[i].name, club.values[i]),
            json_integer(arena_print(exchange->arena, "%sMaximum", club_fields[i].name),
                         club_fields[i].maximum));
    return NULL;
}

/* An address at which the service cannot be reached would make dead links, and nobody could sign in
 * to correct it. So this page accepts only its own address. */
static bool is_of_this_page(struct exchange *exchange, struct text address)
{
    const char *origin = request_variable(exchange->request, "HTTP_ORIGIN");
    size_t length = strlen(origin);
    return length == 0 || !address.bytes ||
           (address.length >= length && memcmp(address.bytes, origin, length) == 0 &&
            (address.length == length || address.bytes[length] == '/'));
}

/* The page may send back a value that the command has set. */
static const char *judge_clusters(struct exchange *exchange, struct text clusters)
{
    struct club known;
    if (club_has_public_clusters(clusters) ||
        (store_read_club(exchange->store, exchange->arena, &known) == STORE_DONE &&
         known.clusters_by_command && text_equals(clusters, known.values[CLUB_CLUSTERS])))
        return NULL;
    return "must be public addresses; qsosync-admin club set takes others";
}

/* All that the body names; an empty text takes one away. */
static const struct error *answer_club(struct exchange *exchange)
{
    struct club club = {0};
    bool given[CLUB_FIELDS] = {false};
    for (int i = 0; i < CLUB_FIELDS; i++) {
        struct text *value = &club.values[i];
        *value = json_read_text(exchange->sent, club_fields[i].name);
        given[i] = value->bytes != NULL;
        const char *message = given[i] ? club_judge((enum club_field)i, value) : NULL;
        if (!message && i == CLUB_ADDRESS && !is_of_this_page(exchange, *value))
            message = "must start like the address of this page";
        if (!message && i == CLUB_CLUSTERS)
            message = judge_clusters(exchange, *value);
        if (message)
            return input_refuse(exchange, club_fields[i].name, message);
    }
    return operator_store_error(exchange, store_set_club(exchange->store, &club, given),
                                &error_internal);
}

static const struct error *answer_uploads(struct exchange *exchange)
{
    bool on;
    TRY(profile_read_flag(exchange, "on", &on));
    return operator_store_error(exchange, store_set_uploads(exchange->store, on), &error_internal);
}

OPERATOR_ROUTE(operator_switches, METHOD_GET, "switches", 200, answer_switches);
OPERATOR_ROUTE(operator_club, METHOD_POST, "club", 204, answer_club, .body = &body_small_object);
OPERATOR_ROUTE(operator_uploads, METHOD_POST, "uploads", 204, answer_uploads,
               .body = &body_small_object);
