/* An HTTP client, for the doctor and for visits to peers. A request returns an answer or a failure,
 * within limits of time and size. Only one thread may use the client at a time. */
#ifndef QSOSYNC_HTTP_CLIENT_H
#define QSOSYNC_HTTP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

#define CLIENT_HEADERS_MAX 6
#define CLIENT_BYTES_MAX 1048576 /* bytes of an answer */

struct client_request {
    const char *method; /* NULL: GET */
    const char *url;
    const char *headers[CLIENT_HEADERS_MAX + 1]; /* "Name: value"; NULL follows the last header */
    struct text body;                            /* no text: none */
    int64_t most_ms;                             /* for the whole request; 0: the usual time */
    bool unverified;    /* the certificate is not checked; never use it with a key */
    const char *source; /* the local address of the connection; NULL: any */
    enum { CLIENT_EITHER, CLIENT_IPV4, CLIENT_IPV6 } family; /* a value of CURLOPT_IPRESOLVE */
};

/* libcurl's error numbers. Any other number means an invalid or incomplete answer. */
enum client_failure {
    CLIENT_ANSWERED = 0,
    CLIENT_NO_CLIENT = 2, /* libcurl is not installed */
    CLIENT_NO_NAME = 6,   /* the name cannot be resolved */
    CLIENT_NO_CONNECTION = 7,
    CLIENT_TOO_LARGE = 23, /* the answer is too long; its beginning is kept */
    CLIENT_TIMEOUT = 28,
    CLIENT_NO_TLS = 35,
    CLIENT_CERTIFICATE = 60, /* not trusted: expired, for another name, or self-signed */
};

/* All texts are in the arena. */
struct client_response {
    struct arena *arena;
    int failure;        /* enum client_failure */
    const char *reason; /* libcurl's message about the failure */
    long status;
    const char *headers; /* as received, line by line */
    const char *body;
    int64_t certificate_end_ms; /* since 1970-01-01; 0: unknown */
    /* issuer of a certificate that is sent without its issuer's certificate; otherwise NULL */
    const char *lone_issuer;
    long verified; /* 0, or OpenSSL's X509_V_ERR_... if the certificate is not trusted */
};

/* Sends a request. Never follows a redirect, and gives up after a few seconds. */
struct client_response client_send(const struct client_request *request, struct arena *arena);

/* Returns whether nobody else can read data sent to the address, as libcurl parses it: over TLS, or
 * to this machine. */
bool client_keeps_secrets(const char *url);

/* Returns a header of the answer in the arena; NULL: not in the answer. Several headers with this
 * name are joined by ", ". */
const char *client_find_header(const struct client_response *response, const char *name);

#endif
