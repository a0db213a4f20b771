/* What the checks of a service at its address share: requests, answers, the commands to paste. */
#ifndef QSOSYNC_DOCTOR_PROBE_H
#define QSOSYNC_DOCTOR_PROBE_H

#include "doctor/machine.h"
#include "installation.h"

/* -- Requests, by libcurl ---------------------------------------------------------------------- */

#define HTTP_HEADERS_MAX 6
#define HTTP_BYTES_MAX 1048576 /* of an answer */

struct http_request {
    const char *method; /* NULL: GET */
    const char *url;
    const char *headers[HTTP_HEADERS_MAX + 1]; /* "Name: value"; NULL follows the last */
    struct text body;                          /* no text: none */
    bool unverified;    /* the certificate is not checked: never with a key */
    const char *source; /* the address of this machine to ask from; NULL: any */
    int family;         /* AF_INET or AF_INET6 alone; 0: either */
};

enum http_failure {
    HTTP_ANSWERED,
    HTTP_NO_CLIENT, /* libcurl is not there */
    HTTP_NO_NAME,   /* the name cannot be resolved */
    HTTP_NO_CONNECTION,
    HTTP_TIMEOUT,
    HTTP_CERTIFICATE, /* not trusted: expired, of another name, self-made */
    HTTP_NO_TLS,
    HTTP_TOO_LARGE, /* its beginning is kept */
    HTTP_CUT_OFF,   /* no valid answer, or one that ends early */
};

/* All texts are in the arena. */
struct http_response {
    struct arena *arena;
    enum http_failure failure;
    const char *reason; /* what libcurl says about the failure */
    long status;
    const char *local, *peer; /* the addresses of the connection; NULL: none */
    const char *headers;      /* as they came, line by line */
    const char *body;
    int64_t certificate_end_ms; /* since 1970-01-01; 0: not known */
    const char *lone_issuer; /* who has signed a certificate that comes alone; NULL: it comes with
                              * that of its issuer */
    long verified; /* 0, or why the certificate is not trusted, by OpenSSL's X509_V_ERR_... */
};

/* Never follows a redirect, and gives up after some seconds. */
struct http_response http_send(const struct http_request *request, struct arena *arena);

/* A header of the answer in the arena, NULL: there is none; several are joined by ", ". The whole
 * number in one, `otherwise` where there is none. Whether the body contains a text. */
const char *http_header(const struct http_response *response, const char *name);
int64_t http_number(const struct http_response *response, const char *name, int64_t otherwise);
bool http_contains(const struct http_response *response, const char *text);

/* -- The service that is asked ----------------------------------------------------------------- */

#define API "/api/v1"

/* Asks for a path of the site, or another address; the request's fields follow. */
#define probe_ask(seen, ...) probe_send(seen, (struct http_request){__VA_ARGS__})
struct http_response probe_send(struct examination *seen, struct http_request request);

/* Whether the service itself fails. The first such answer becomes a finding; after one, nothing is
 * concluded about sites and limits. */
bool probe_has_failed(struct examination *seen, const char *check,
                      const struct http_response *response);

/* Whether the address is one of this machine itself, by which nobody else asks. */
bool probe_asks_this_machine(struct examination *seen);

/* The line for the web server that answers; where its headers do not name it, for the one that is
 * installed here. */
const char *probe_fix(struct examination *seen, const char *nginx, const char *apache);

/* The line that puts the site as it is shipped, or what to do where there is no root. */
const char *probe_fix_for_site(struct examination *seen);

/* The same after another command (no text: none), with an option; NULL where there is no root. */
const char *probe_fix_by_putting(struct examination *seen, const char *before, const char *option);

/* The words for the proxy where one is, behind which the site is believed to be as it is shipped;
 * otherwise the line for the site. */
const char *probe_fix_for_way(struct examination *seen, const char *proxy);

/* The line that asks again when this address may. */
const char *probe_fix_by_waiting(struct examination *seen);

/* The line that asks at another address. */
const char *probe_fix_by_asking(struct examination *seen, const char *address);

/* -- Checks ------------------------------------------------------------------------------------ */

/* What needs a key (no text: there is none): whether it arrives and is known, a large body arrives,
 * and the log can be read. Nothing is saved. */
void key_check(struct examination *seen, struct text key);

/* The way on which members sign in, and the service's own address. Nobody signs in, no password is
 * tried, and no secret is sent. */
#define SIGN_IN_REQUESTS 6
void sign_in_check(struct examination *seen);

/* Fills seen->way, as the service tells it. */
void limit_learn_way(struct examination *seen);

/* Seconds until it is worth asking on: 0 where this address may make the requests of all checks, or
 * where the answer does not tell. */
int64_t limit_wait_s(const struct http_response *response);

/* Whether answers say what the request limit is, whether each client has one of its own, whether a
 * client can evade it, and unless `gentle` how too many requests are refused. */
void limit_check(struct examination *seen, const struct http_response *response, bool gentle);

#endif
