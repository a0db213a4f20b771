/* What the checks of a service at its address share: requests, answers, the commands to paste. */
#ifndef QSOSYNC_DOCTOR_PROBE_H
#define QSOSYNC_DOCTOR_PROBE_H

#include "doctor/machine.h"
#include "installation.h"

/* -- Requests, by libcurl, which is loaded when the first one is made -------------------------- */

#define HTTP_HEADERS_MAX 6
#define HTTP_BODY_MAX 1048576 /* of an answer that is wanted whole */

struct http_request {
    const char *method;
    const char *url;
    const char *headers[HTTP_HEADERS_MAX + 1]; /* "Name: value"; NULL follows the last */
    const char *body;                          /* NULL: none */
    size_t body_length;
    bool whole;         /* a body above HTTP_BODY_MAX is a failure, instead of cut */
    bool unverified;    /* the certificate is not checked: never with a key */
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
    const char *local, *peer;   /* the addresses of the connection; in the arena; NULL: none */
    const char *headers;        /* as they came, line by line; in the arena */
    const char *body;           /* its first 64 kB, or all of it; in the arena */
    int64_t certificate_end_ms; /* since 1970-01-01; 0: not known */
    const char *lone_issuer; /* who has signed a certificate that comes alone; NULL: it comes with
                              * that of its issuer */
    long verified; /* 0, or why the certificate is not trusted, by OpenSSL's X509_V_ERR_... */
};

/* NULL, or why there is no client. */
const char *http_client_load(void);

/* Never follows a redirect, and gives up after some seconds. */
struct http_response http_client_send(const struct http_request *request, struct arena *arena);

/* The value of a header in the arena; NULL: there is none. *count: how many there are. */
const char *http_client_header(const struct http_response *response, struct arena *arena,
                               const char *name, int *count);

/* -- The service that is asked ----------------------------------------------------------------- */

/* What the service says of a request of this machine that has reached it; NULL: it does not. */
struct way {
    const char *address; /* that it takes for its own */
    const char *client;  /* the address that it takes for this machine's */
    bool names_client;   /* X-Forwarded-For has arrived, and is not believed or not all of it */
    bool is_local;       /* the address that was asked is one of this machine */
    bool is_there;       /* a proxy stands before the web server */
};

struct probe {
    struct doctor *doctor;
    struct arena *arena;
    const char *base, *site;   /* with /api/v1 at its end, and without */
    const char *host;          /* the name in the address */
    bool is_here;              /* the address, or a site of its name, is on this machine */
    const char *certificate;   /* the file that the site here names; NULL: not known */
    bool is_apache, is_nginx;  /* which web server answers, if its headers name it */
    const char *authorization; /* header with the key; NULL: no key */
    struct way way;
    bool failed; /* the service has answered with 500 or more, from which nothing else follows */
};

#define API "/api/v1"

/* Asks for a path below the site. The headers follow; NULL ends them. */
#define probe_ask(probe, method, path, ...)                                                        \
    probe_ask_with(probe, method, path, (const char *const[]){__VA_ARGS__})
struct http_response probe_ask_with(struct probe *probe, const char *method, const char *path,
                                    const char *const *headers);

/* A header of the answer, NULL: none; the whole number in one, `otherwise` where there is none; and
 * whether its body contains a text. */
const char *probe_header(struct probe *probe, const struct http_response *response,
                         const char *name);
int64_t probe_number(struct probe *probe, const struct http_response *response, const char *name,
                     int64_t otherwise);
bool probe_contains(const struct http_response *response, const char *text);

/* Whether the service itself fails. The first such answer becomes a finding; after one, nothing is
 * concluded about sites and limits. */
bool probe_has_failed(struct probe *probe, const char *check, const struct http_response *response);

/* Whether the address is one of this machine itself, by which nobody else asks. */
bool probe_asks_this_machine(const struct probe *probe);

/* The line for the web server that answers; where its headers do not name it, for the one that is
 * installed here. */
const char *probe_fix(const struct probe *probe, const char *nginx, const char *apache);

/* The line that puts the site as it is shipped, or what to do where there is no root. */
const char *probe_fix_for_site(const struct probe *probe);

/* The same after another command (no text: none), with an option; NULL where there is no root. */
const char *probe_fix_by_putting(const struct probe *probe, const char *before, const char *option);

/* The words for the proxy where one is, behind which the site is believed to be as it is shipped;
 * otherwise the line for the site. */
const char *probe_fix_for_way(const struct probe *probe, const char *proxy);

/* The line that asks again when this address may. */
const char *probe_fix_by_waiting(const struct probe *probe);

/* The line that asks at another address. */
const char *probe_fix_by_asking(const struct probe *probe, const char *address);

/* -- Checks ------------------------------------------------------------------------------------ */

/* What needs a key (no text: there is none): whether it arrives and is known, a large body arrives,
 * and the log can be read. Nothing is saved. */
void key_check(struct probe *probe, struct text key);

/* The way on which members sign in, and the service's own address. Nobody signs in, no password is
 * tried, and no secret is sent. */
#define SIGN_IN_REQUESTS 6
void sign_in_check(struct probe *probe);

/* Fills probe->way: what stands between a client and the web server, as the service tells it. */
void limit_learn_way(struct probe *probe);

/* Seconds until it is worth asking on: 0 where this address may make the requests of all checks, or
 * where the answer does not tell. */
int64_t limit_wait_s(struct probe *probe, const struct http_response *response);

/* Whether answers say what the request limit is, whether each client has one of its own, whether a
 * client can evade it, and unless `gentle` how too many requests are refused. */
void limit_check(struct probe *probe, const struct http_response *response, bool gentle);

#endif
