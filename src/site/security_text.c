/* GET /.well-known/security.txt: to whom faults in the security of this service are reported (RFC
 * 9116), which is the contact that the club names. If that holds no address, its page on the web
 * is one; without either there is no such file. */
#include <string.h>

#include "base/datetime.h"
#include "site/address.h"
#include "site/page.h"
#include "site/routes.h"

#define VALID_MS (180 * DATETIME_DAY_MS) /* the RFC recommends less than a year */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The text without what writers put around an address. */
static struct text bare(struct text word)
{
    while (word.length > 0 && strchr("<(\"'", word.bytes[0]))
        word = (struct text){word.bytes + 1, word.length - 1};
    while (word.length > 0 && strchr(">)\"'.,;:", word.bytes[word.length - 1]))
        word.length--;
    return word;
}

static bool is_mail(struct text word)
{
    const char *at = memchr(word.bytes, '@', word.length);
    return at && at > word.bytes && at < word.bytes + word.length - 1;
}

static bool is_link(struct text word)
{
    return word.length > 8 && memcmp(word.bytes, "https://", 8) == 0;
}

/* The first address in what the club says; false: there is none. */
static bool append_contact(struct buffer *out, struct text said)
{
    size_t begin = 0;
    while (begin < said.length) {
        size_t end = begin;
        while (end < said.length && !is_blank(said.bytes[end]))
            end++;
        struct text word = bare((struct text){said.bytes + begin, end - begin});
        if (word.length > 0 && (is_link(word) || is_mail(word))) {
            buffer_print(out, "Contact: %s%.*s\n", is_link(word) ? "" : "mailto:", (int)word.length,
                         word.bytes);
            return true;
        }
        begin = end + 1;
    }
    return false;
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    const struct club *club = club_of(exchange);
    char expires[DATETIME_TEXT_LENGTH];
    if (!append_contact(body, club->values[CLUB_CONTACT]) &&
        !append_contact(body, club->values[CLUB_LINK]))
        return &error_not_found;
    datetime_format(exchange->request->arrived_ms / DATETIME_DAY_MS * DATETIME_DAY_MS + VALID_MS,
                    expires);
    buffer_print(body, "Expires: %.*s\nCanonical: %s/.well-known/security.txt\n",
                 DATETIME_TEXT_LENGTH, expires, address_of_service(exchange));
    exchange->response->content_type = "text/plain; charset=utf-8";
    return NULL;
}

ROUTE(security_text) = {
    .method = METHOD_GET,
    .path = "/.well-known/security.txt",
    .access = ACCESS_PUBLIC,
    .use = USES_NOTHING,
    .status = 200,
    .answer = answer,
};
