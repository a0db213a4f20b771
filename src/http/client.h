/* An HTTP client, for the doctor and for visits to peers. The client returns an answer or a
 * failure, within limits of time and size. Only one thread may use the client at a time. */
#ifndef QSOSYNC_HTTP_CLIENT_H
#define QSOSYNC_HTTP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

#define CLIENT_HEADERS_MAX 6
#define CLIENT_BYTES_MAX 1048576 /* maximum length of an answer's headers, and of its body */

struct client_request {
    const char *method; /* NULL: GET */
    const char *url;
    const char *headers[CLIENT_HEADERS_MAX + 1]; /* headers as "Name: value", ending with NULL */
    struct text body;                            /* no text: the request has no body */
    /* time limit for the whole request; 0: the usual limit */
    int64_t most_ms;
    /* whether the certificate is not checked; must be false if the request contains a key */
    bool unverified;
    const char *source; /* the local address for the connection; NULL: any address */
    enum { CLIENT_EITHER, CLIENT_IPV4, CLIENT_IPV6 } family; /* a value of CURLOPT_IPRESOLVE */
};

/* Causes of failure: libcurl's error numbers. The doctor reports any other number as an invalid
 * HTTP answer. */
enum client_failure {
    CLIENT_ANSWERED = 0,
    CLIENT_NO_CLIENT = 2, /* libcurl cannot be loaded */
    CLIENT_NO_NAME = 6,   /* the name cannot be resolved */
    CLIENT_NO_CONNECTION = 7,
    CLIENT_TOO_LARGE = 23, /* the answer is too long; its beginning is kept */
    CLIENT_TIMEOUT = 28,
    CLIENT_NO_TLS = 35,
    /* the certificate has expired, is for another name, or is not trusted */
    CLIENT_CERTIFICATE = 60,
};

/* An answer or a failure. All texts are constant or in the arena. */
struct client_response {
    struct arena *arena;
    int failure;        /* a value of enum client_failure */
    const char *reason; /* libcurl's message about the failure */
    long status;
    const char *headers; /* the headers as received, line by line */
    const char *body;
    /* end of the certificate's validity, in milliseconds since 1970-01-01; 0: unknown */
    int64_t certificate_end_ms;
    /* the issuer, if the server does not send the issuer's certificate; otherwise NULL */
    const char *lone_issuer;
    long verified; /* 0, or OpenSSL's X509_V_ERR_... if the certificate is not trusted */
};

/* Sends a request. Never follows a redirect. Gives up after ten seconds without progress, or at the
 * time limit. */
struct client_response client_send(const struct client_request *request, struct arena *arena);

/* Returns whether nobody else can read data that is sent to the URL: the connection uses TLS, or is
 * to this machine. Returns false for a URL with a user name. Returns true if libcurl, which parses
 * the URL, cannot be loaded. */
bool client_keeps_secrets(const char *url);

/* Returns the value of a header in the answer, in the arena, or NULL if the answer lacks the
 * header. If several headers have this name, their values are joined with ", ". */
const char *client_find_header(const struct client_response *response, const char *name);

#endif
