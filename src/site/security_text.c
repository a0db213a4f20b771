/* GET /.well-known/security.txt: to whom faults in the security of this service are reported (RFC
 * 9116), which is the contact that the club names. If that holds no address, its page on the web
 * is one; without either there is no such file. */
#include <string.h>
#include <strings.h>

#include "base/datetime.h"
#include "site/address.h"
#include "site/routes.h"

#define VALID_MS (180 * DATETIME_DAY_MS) /* the RFC recommends less than a year */

/* The word without what writers put around an address. */
static struct text bare(char *word)
{
    word += strspn(word, "<(\"'");
    size_t length = strlen(word);
    while (length > 0 && strchr(">)\"'.,;:", word[length - 1]))
        length--;
    return (struct text){word, length};
}

/* Without what a link to it begins with. */
static struct text mail_in(struct text word)
{
    if (word.length > 7 && strncasecmp(word.bytes, "mailto:", 7) == 0)
        word = text_skip(word, 7);
    const char *at = memchr(word.bytes, '@', word.length);
    bool is_mail = at && at > word.bytes && at < word.bytes + word.length - 1;
    return is_mail ? word : (struct text){0};
}

static bool is_link(struct text word)
{
    return word.length > 8 && strncasecmp(word.bytes, "https://", 8) == 0;
}

/* A URI has ASCII alone, and none of its own signs if an address of mail has them (RFC 6068). */
static void append_uri(struct buffer *out, struct text text, const char *encoded)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        bool is_plain = byte > ' ' && byte < 0x7f && !strchr(encoded, byte);
        buffer_print(out, is_plain ? "%c" : "%%%02X", byte);
    }
}

/* The first address in what the club says; false: there is none. */
static bool append_contact(struct exchange *exchange, enum club_field field)
{
    struct text said = club_of(exchange)->values[field];
    char *rest, *words = arena_copy(exchange->arena, said.bytes, said.length);
    for (char *next = strtok_r(words, " \t\r\n", &rest); next;
         next = strtok_r(NULL, " \t\r\n", &rest)) {
        struct text word = bare(next), mail = mail_in(word);
        if (!is_link(word) && mail.length == 0)
            continue;
        buffer_print(exchange->body, "Contact: %s", is_link(word) ? "" : "mailto:");
        if (is_link(word))
            append_uri(exchange->body, word, "\"<>\\^`{|}");
        else
            append_uri(exchange->body, mail, "\"<>\\^`{|}%/?#[]&;=");
        buffer_print(exchange->body, "\n");
        return true;
    }
    return false;
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
    if (is_link(address)) /* the RFC allows no other one */
        buffer_print(exchange->body, "Canonical: %s/.well-known/security.txt\n", address.bytes);
    exchange->response->content_type = "text/plain; charset=utf-8";
    return NULL;
}

PUBLIC_ROUTE(security_text, METHOD_GET, "/.well-known/security.txt", USES_NOTHING, 200, answer);
