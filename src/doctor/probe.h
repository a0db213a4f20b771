/* All requests of the doctor to a service share this: the address, the key, and the commands to
 * paste. */
#ifndef QSOSYNC_DOCTOR_PROBE_H
#define QSOSYNC_DOCTOR_PROBE_H

#include "doctor/doctor.h"
#include "doctor/http_client.h"
#include "doctor/findings.h"
#include "installation.h"

/* The command that restarts the workers of the shipped units. */
#define PROBE_RESTART "systemctl restart qsosync.socket qsosync.service"

/* The command that puts a web server's site as it is shipped; server and name follow. */
#define PROBE_PUT_SITE QSOSYNC_SHARED_FILES "/service/put-site "

/* What the service says of a request of this machine that has reached it; NULL: it does not. */
struct way {
    const char *address;  /* that it takes for its own */
    const char *client;   /* the address that it takes for this machine's */
    const char *protocol; /* such as HTTP/1.1 */
    bool names_client;    /* X-Forwarded-For has arrived, and is not believed or not all of it */
    bool is_local;        /* the address that was asked is one of this machine */
    bool is_there;        /* a proxy stands before the web server */
};

struct probe {
    struct doctor *doctor;
    struct arena *arena;
    struct findings *findings;
    const char *base;          /* ends in /api/v1 */
    bool apache, nginx;        /* which web server answers, if its headers name it */
    const char *authorization; /* header with the key; NULL: no key */
    struct way way;
    const char *source; /* the address of this machine to ask from; NULL: any */
    bool failed; /* the service has answered with 500 or more, from which nothing else follows */
};

/* Asks below the base; up to three headers, NULL: none. The answer is to be freed. */
void probe_request(struct probe *probe, const char *method, const char *path, const char *first,
                   const char *second, const char *third, struct http_response *response);

/* The same with a path of the pages, which stand beside the API. */
void probe_request_site(struct probe *probe, const char *method, const char *path,
                        struct http_response *response);

/* A header of the answer, NULL: none; and whether its body contains a text. */
const char *probe_header(struct probe *probe, const struct http_response *response,
                         const char *name);
bool probe_contains(const struct http_response *response, const char *text);

/* Whether the service itself fails. The first such answer becomes a finding; after one, nothing is
 * concluded about sites and limits. */
bool probe_has_failed(struct probe *probe, const char *check, const struct http_response *response);

/* The status of /healthz beside the API, which the pages answer: other workers, who may see what
 * those of the API do not. 0: no answer. */
long probe_health(struct probe *probe);

/* The command to paste, for the web server that answers; where its headers do not name it, for the
 * one that is installed here. */
const char *probe_fix(const struct probe *probe, const char *nginx, const char *apache);

/* The command that puts the site as it is shipped; on a shared host, that of the API or that of the
 * pages. */
const char *probe_fix_for_site(const struct probe *probe);
const char *probe_fix_for_pages(const struct probe *probe);

/* The command that asks again when this address may. */
const char *probe_fix_by_waiting(const struct probe *probe);

/* Whether the address is one of this machine itself, by which nobody else asks. */
bool probe_asks_this_machine(const struct probe *probe);

/* The name in the address, in the arena. */
const char *probe_host(const struct probe *probe);

/* The whole number in a header; `otherwise` where there is none. */
int64_t probe_number(const char *text, int64_t otherwise);

#endif
