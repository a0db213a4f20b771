/* Writes the texts of members and of the club into pages. These texts never become markup, and
 * never change the direction of neighbouring text. */
#include "site/shared/html.h"

#include "base/buffer.h"

static const struct {
    char character;
    const char *written;
} markup[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
};

/* Finds a control character at the beginning of the text, and the character's number. Returns the
 * character's length, or 0 if the text begins with another character. Each control character with
 * three bytes in UTF-8 begins with the byte 0xE2. */
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

const char *html_of(struct arena *arena, struct text text)
{
    struct buffer out = {0};
    unsigned code_point;
    for (size_t i = 0; i < text.length;) {
        size_t length =
            find_control((const unsigned char *)text.bytes + i, text.length - i, &code_point);
        if (length > 0)
            buffer_print(&out, "[U+%04X]", code_point);
        else
            append_character(&out, text.bytes[i]);
        i += length > 0 ? length : 1;
    }
    const char *html = arena_copy(arena, out.bytes, out.length);
    buffer_free(&out);
    return html;
}

bool html_is_link(struct text text)
{
    if (!text_extends(text, "https://") && !text_extends(text, "http://"))
        return false;
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] <= ' ')
            return false;
    return true;
}

const char *html_linked(struct arena *arena, struct text text)
{
    const char *html = html_of(arena, text);
    return html_is_link(text)
               ? arena_print(arena, "<a rel=\"noreferrer\" href=\"%s\"><bdi>%s</bdi></a>", html,
                             html)
               : arena_print(arena, "<bdi>%s</bdi>", html);
}
