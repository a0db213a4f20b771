/* What the checks of a service at its address share: requests, answers, the commands to paste. */
#ifndef QSOSYNC_DOCTOR_PROBE_H
#define QSOSYNC_DOCTOR_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "doctor/doctor.h"
#include "installation.h"
#include "store/credentials.h"

#define HTTP_HEADERS_MAX 6

struct http_request {
    const char *method;
    const char *url;
    const char *headers[HTTP_HEADERS_MAX + 1]; /* "Name: value"; NULL follows the last */
    const char *body;                          /* NULL: none */
    size_t body_length;
    bool unverified;    /* whoever answers is believed: never with a key */
    const char *source; /* the address of this machine to ask from; NULL: any */
    int family;         /* AF_INET or AF_INET6 alone; 0: either */
};

enum http_failure {
    HTTP_ANSWERED,
    HTTP_NO_NAME, /* the name cannot be resolved */
    HTTP_NO_CONNECTION,
    HTTP_TIMEOUT,
    HTTP_CERTIFICATE, /* not trusted: expired, of another name, self-made */
    HTTP_NO_TLS,
    HTTP_CUT_OFF, /* no valid answer, or one that ends early */
};

struct http_response {
    enum http_failure failure;
    const char *reason; /* what libcurl says about the failure; in the arena */
    long status;
    const char *local, *peer; /* the addresses of the connection; in the arena; NULL: none */
    struct buffer headers; /* as they came, line by line, NUL-terminated; the caller frees both */
    struct buffer body;    /* its first 64 kB, NUL-terminated */
    int64_t certificate_end_ms; /* since 1970-01-01; 0: not known */
    const char *lone_issuer; /* who has signed a certificate that comes without that of its issuer;
                              * NULL: it is signed by itself, or comes with others */
};

/* NULL, or why there is no client. */
const char *http_client_load(void);

/* Never follows a redirect, and gives up after some seconds. */
void http_client_send(const struct http_request *request, struct arena *arena,
                      struct http_response *response);
void http_client_free(struct http_response *response);

/* The value of a header in the arena; NULL: there is none. *count: how many there are. */
const char *http_client_header(const struct http_response *response, struct arena *arena,
                               const char *name, int *count);

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

/* Adds the finding for a request that got no answer: its most likely cause, which may be this
 * machine's own clock. */
void check_address_report_no_answer(struct probe *probe, const struct http_response *response);

/* Adds the finding for a service that answers: whether it does by IPv4 and by IPv6. */
void check_address_families(struct probe *probe);

/* The command for a certificate that clients refuse for this reason; "" for one that is missing. */
const char *check_address_fix_certificate(struct probe *probe, const char *reason);

/* Whether the key arrives and is known, a large body arrives, and the log can be read. Nothing is
 * saved. No text: there is no key, which is a warning. */
void check_key(struct probe *probe, struct text key);

/* Seconds until it is worth asking on: 0 where this address may make the requests of all checks, or
 * where the answer does not tell. */
int64_t check_limit_wait_s(struct probe *probe, const struct http_response *response);

/* Whether answers say what the limit is, and whether a client can evade it by naming another
 * address. */
void check_limit_headers(struct probe *probe, const struct http_response *response);

/* How the service refuses too many requests. Uses up the requests that this address may make in a
 * minute. */
void check_limit_retry_after(struct probe *probe);

/* Fills probe->way. Of a service without pages nothing is known. */
void check_proxy_learn(struct probe *probe);

/* The web server behind the proxy, by the address that the shipped site for it has on this machine.
 * False: there is no proxy, or that server is not here. */
bool check_proxy_find_inner(struct probe *probe, struct probe *inner);

/* Adds a finding for each fault that only a proxy has: HTTP/1.0, kept answers. */
void check_proxy(struct probe *probe);

/* Adds a finding where two addresses of this machine share one request limit, as all do where the
 * service takes the proxy's address for that of each client. */
void check_proxy_clients(struct probe *probe);

/* How many requests it makes, for who counts them. */
#define CHECK_SIGN_IN_REQUESTS 8

/* Adds one finding: whether the pages answer here, their forms and cookies arrive, and nobody keeps
 * copies of what is private. Nobody signs in, no password is tried, and no secret is sent. False:
 * something is wrong, or there are no pages. */
bool check_sign_in(struct probe *probe);

/* Adds a finding, and returns false, where the service is asked by https and says http of itself:
 * forms and cookies fail then for the same reason. */
bool check_sign_in_scheme(struct probe *probe);

/* Adds the finding for the service's own address as the logbook here or its unit has it: whether it
 * is the one that was asked. None without a logbook that can be read, and where the address that
 * was asked is one of this machine itself. */
void check_sign_in_address(struct probe *probe);

#endif
