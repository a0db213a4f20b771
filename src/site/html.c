/* Fills in pages, QR codes among them: names in braces are replaced by texts. Texts of members
 * never become markup, and never change the direction of the text beside them. The pages themselves
 * are files under src/pages. */
#include "site/html.h"

#include <string.h>

#include "json/write.h"
#include "links/setup_link.h"

static const struct {
    char character;
    const char *written;
} markup[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
};

/* The name of the control character that begins here, and its length; 0: there is none. All of them
 * lie below U+3000. */
static size_t find_control(const unsigned char *bytes, size_t left, unsigned *code_point)
{
    *code_point = bytes[0];
    if ((bytes[0] < 0x20 && bytes[0] != '\t' && bytes[0] != '\n') || bytes[0] == 0x7F)
        return 1;
    if (left >= 2 && bytes[0] == 0xC2 && bytes[1] < 0xA0) {
        *code_point = bytes[1];
        return 2;
    }
    if (left < 3 || bytes[0] != 0xE2)
        return 0;
    *code_point = (bytes[0] & 0xFu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
    bool reorders = (*code_point >= 0x202A && *code_point <= 0x202E) ||
                    (*code_point >= 0x2066 && *code_point <= 0x2069);
    return reorders ? 3 : 0;
}

static void append_character(struct buffer *out, char character)
{
    for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
        if (markup[i].character == character) {
            buffer_append_string(out, markup[i].written);
            return;
        }
    buffer_append(out, &character, 1);
}

void html_append_text(struct buffer *out, struct text text)
{
    unsigned code_point;
    for (size_t i = 0; i < text.length;) {
        size_t length =
            find_control((const unsigned char *)text.bytes + i, text.length - i, &code_point);
        if (length > 0)
            buffer_print(out, "[U+%04X]", code_point);
        else
            append_character(out, text.bytes[i]);
        i += length > 0 ? length : 1;
    }
}

void html_append_page(struct buffer *out, const char *page, html_append_value append, void *context)
{
    const char *at = page, *start, *end;
    while ((start = strstr(at, "{{")) != NULL && (end = strstr(start, "}}")) != NULL) {
        buffer_append(out, at, (size_t)(start - at));
        append(context, (struct text){start + 2, (size_t)(end - start) - 2}, out);
        at = end + 2;
    }
    buffer_append_string(out, at);
}

/* Writes a QR code into an answer, as the path of a drawing that the page makes of it. What it
 * holds may be a secret, so what was needed to make it is wiped; the answer itself is wiped once it
 * is sent. */

void qr_write(struct buffer *body, const char *name, const char *text)
{
    struct buffer path = {0};
    int side;
    if (!qr_code_append_path(text, &path, &side)) {
        json_write_null(body, name);
        buffer_free(&path);
        return;
    }
    json_begin_object(body, name);
    json_write_integer(body, "size", side);
    json_write_text(body, "path", (struct text){path.bytes, path.length});
    json_write_text(body, "text", text_of(text));
    buffer_append(body, "}", 1);
    explicit_bzero(path.bytes, path.length);
    buffer_free(&path);
}
