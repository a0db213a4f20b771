/* GET /.well-known/security.txt: the club's contact for reports of security faults (RFC 9116). If
 * the contact contains no address, the address of the club's web page is used. If there is no
 * address at all, the answer is 404. */
#include <string.h>

#include "base/datetime.h"
#include "base/text_search.h"
#include "site/public/routes.h"
#include "site/shared/address.h"
#include "site/shared/club.h"

#define VALID_MS (180 * DATETIME_DAY_MS) /* the RFC recommends less than a year */

/* Appends text to a URI, and escapes characters in `encoded` and all bytes other than printable
 * ASCII. A mail address must not contain the URI's own delimiters (RFC 6068). */
static void append_uri(struct buffer *out, struct text text, const char *encoded)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        bool is_plain = byte > ' ' && byte < 0x7f && !strchr(encoded, byte);
        buffer_print(out, is_plain ? "%c" : "%%%02X", byte);
    }
}

/* Appends the first address in the club's text, without surrounding punctuation. Returns false if
 * the text contains no address. */
static bool append_contact(struct exchange *exchange, enum club_field field)
{
    static const char address[] = "(^|[ \t\r\n])[<(\"']*(https://[^ \t\r\n]*[^ \t\r\n>)\"'.,;:]|"
                                  "(mailto:)?([^@ \t\r\n]+@[^ \t\r\n]*[^ \t\r\n>)\"'.,;:]))";
    enum { LINK = 2, MAIL = 4, GROUPS };
    struct text said = club_of(exchange)->values[field];
    const char *text = arena_copy(exchange->arena, said.bytes, said.length);
    regmatch_t found[GROUPS];
    if (!text_search(text, address, REG_ICASE, GROUPS, found))
        return false;
    const bool is_mail = found[MAIL].rm_so >= 0;
    const regmatch_t *part = &found[is_mail ? MAIL : LINK];
    buffer_print(exchange->body, "Contact: %s", is_mail ? "mailto:" : "");
    append_uri(exchange->body,
               (struct text){text + part->rm_so, (size_t)(part->rm_eo - part->rm_so)},
               is_mail ? "\"<>\\^`{|}%/?#[]&;=" : "\"<>\\^`{|}");
    buffer_append(exchange->body, "\n", 1);
    return true;
}

static const struct error *answer(struct exchange *exchange)
{
    char expires[DATETIME_TEXT_LENGTH];
    if (!append_contact(exchange, CLUB_CONTACT) && !append_contact(exchange, CLUB_LINK))
        return &error_not_found;
    datetime_format(exchange->request->arrived_ms / DATETIME_DAY_MS * DATETIME_DAY_MS + VALID_MS,
                    expires);
    buffer_print(exchange->body, "Expires: %.*s\n", DATETIME_TEXT_LENGTH, expires);
    struct text address = text_of(address_of_service(exchange));
    if (text_begins_ignoring_case(address, "https://")) /* the RFC requires https */
        buffer_print(exchange->body, "Canonical: %s/.well-known/security.txt\n", address.bytes);
    exchange->response->content_type = "text/plain; charset=utf-8";
    return NULL;
}

PUBLIC_ROUTE(security_text, METHOD_GET, "/.well-known/security.txt", USES_NOTHING, 200, answer);
