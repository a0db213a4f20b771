/* The doctor's conversation with a service: what all of its questions need. */
#ifndef QSOSYNC_ADMIN_CONVERSATION_H
#define QSOSYNC_ADMIN_CONVERSATION_H

#include "admin/command.h"
#include "admin/http_client.h"
#include "admin/findings.h"
#include "installation.h"

/* What restarts the workers of the shipped units. */
#define CONVERSATION_RESTART "systemctl restart qsosync.socket qsosync.service"

/* Makes a web server's site as it is shipped; server and name follow. */
#define CONVERSATION_PUT_SITE QSOSYNC_SHARED_FILES "/nginx/put-site "

struct conversation {
    struct invocation *invocation;
    struct arena *arena;
    struct findings *findings;
    const char *base;          /* ends in /api/v1 */
    bool apache, nginx;        /* which web server answers, if it says so */
    const char *authorization; /* header with the key; NULL: no key */
};

/* Asks below the base; up to three headers, NULL: none. The answer is to be freed. */
void conversation_ask(struct conversation *with, const char *method, const char *path,
                      const char *first, const char *second, const char *third,
                      struct http_response *response);

/* A header of the answer, NULL: none; and whether a text stands in its body. */
const char *conversation_header(struct conversation *with, const struct http_response *response,
                                const char *name);
bool conversation_holds(const struct http_response *response, const char *text);

/* The command to paste, by the web server that answers; where that does not say what it is, by the
 * one that is there. */
const char *conversation_mend(const struct conversation *with, const char *nginx,
                              const char *apache);

/* The command that makes the site as it is shipped. */
const char *conversation_mend_site(const struct conversation *with);

/* The name in the address, in the arena. */
const char *conversation_host(const struct conversation *with);

/* A header that is a whole number; `otherwise` where it is none. */
int64_t conversation_number(const char *text, int64_t otherwise);

#endif
