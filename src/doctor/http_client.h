/* Requests to the service, for the doctor. libcurl is loaded when the first one is made, so that no
 * other command needs it or starts more slowly. */
#ifndef QSOSYNC_DOCTOR_HTTP_CLIENT_H
#define QSOSYNC_DOCTOR_HTTP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"

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

#endif
