/* Shared parts of the checks of a service at its address: requests, answers, commands to paste. */
#ifndef QSOSYNC_DOCTOR_PROBE_H
#define QSOSYNC_DOCTOR_PROBE_H

#include "doctor/machine.h"
#include "installation.h"

/* -- Requests, by libcurl ---------------------------------------------------------------------- */

#define HTTP_HEADERS_MAX 6
#define HTTP_BYTES_MAX 1048576 /* bytes of an answer */

struct http_request {
    const char *method; /* NULL: GET */
    const char *url;
    const char *headers[HTTP_HEADERS_MAX + 1]; /* "Name: value"; NULL follows the last */
    struct text body;                          /* no text: none */
    int64_t most_ms;                           /* for all of it; 0: the usual time */
    bool unverified;    /* the certificate is not checked: never with a key */
    const char *source; /* the address of this machine to ask from; NULL: any */
    enum { HTTP_EITHER, HTTP_IPV4, HTTP_IPV6 } family; /* as CURLOPT_IPRESOLVE counts them */
};

/* The numbers of libcurl; any other number: an invalid or incomplete answer. */
enum http_failure {
    HTTP_ANSWERED = 0,
    HTTP_NO_CLIENT = 2, /* libcurl is not there */
    HTTP_NO_NAME = 6,   /* the name cannot be resolved */
    HTTP_NO_CONNECTION = 7,
    HTTP_TOO_LARGE = 23, /* its beginning is kept */
    HTTP_TIMEOUT = 28,
    HTTP_NO_TLS = 35,
    HTTP_CERTIFICATE = 60, /* not trusted: expired, of another name, self-made */
};

/* All texts are in the arena. */
struct http_response {
    struct arena *arena;
    int failure;        /* enum http_failure */
    const char *reason; /* libcurl's message about the failure */
    long status;
    const char *headers; /* as they came, line by line */
    const char *body;
    int64_t certificate_end_ms; /* since 1970-01-01; 0: not known */
    /* issuer of a certificate that is sent without its issuer's; otherwise NULL */
    const char *lone_issuer;
    long verified; /* 0, or why the certificate is not trusted, by OpenSSL's X509_V_ERR_... */
};

/* Never follows a redirect, and gives up after some seconds. */
struct http_response http_send(const struct http_request *request, struct arena *arena);

/* Whether nobody on the way can read data sent to the address, as libcurl parses it: over TLS, or
 * to this machine itself. */
bool http_keeps_secrets(const char *url);

/* A header of the answer in the arena; several are joined by ", ". NULL: not in the answer. */
const char *http_header(const struct http_response *response, const char *name);

/* -- The service that is asked ----------------------------------------------------------------- */

#define API "/api/v1"

/* Asks for a path of the site, or another address; the request's fields follow. */
#define probe_ask(seen, ...) probe_send(seen, (struct http_request){__VA_ARGS__})
struct http_response probe_send(struct examination *seen, struct http_request request);

/* Whether this status means that the service itself fails, or accepts no more requests from here.
 * The first such answer becomes a finding; after one, nothing is concluded about sites and limits.
 */
bool probe_has_failed(struct examination *seen, const char *check, long status);

/* Whether this is a loopback address, which no other machine can use. */
bool probe_asks_this_machine(struct examination *seen);

/* The line that installs the shipped site, or instructions for users without root. */
const char *probe_fix_for_site(struct examination *seen);

/* The same after another command (no text: none), with an option; NULL without root. */
const char *probe_fix_by_putting(struct examination *seen, const char *before, const char *option);

/* The line that asks at another address. */
const char *probe_fix_by_asking(struct examination *seen, const char *address);

/* -- Checks ------------------------------------------------------------------------------------ */

/* Checks that need a key (no text: skipped): it arrives and is valid, and a large body arrives.
 * Nothing is saved. */
void key_check(struct examination *seen, struct text key);

/* Checks signing in, and the service's own address, given this answer of /healthz.
 * Nobody signs in, no password is tried, and no secret is sent. */
void sign_in_check(struct examination *seen, const struct http_response *health);

#endif
