/* Creates the links that set up a member's program with an address and a key. The address is
 * percent-encoded; a key contains no character that needs encoding. A link contains the key, so
 * callers must show it only once. */
#include "links/setup_link.h"

#include <qrencode.h>
#include <string.h>

#include "base/format.h"

char *setup_link_make(struct arena *arena, const char *address, const char *key)
{
    static const char unreserved[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789-._~";
    char *encoded = arena_allocate(arena, strlen(address) * 3 + 1), *out = encoded;
    for (; *address; address++)
        if (strchr(unreserved, *address))
            *out++ = *address;
        else
            out += format_cut(out, sizeof "%XX", "%%%02X", (unsigned char)*address);
    *out = '\0';
    return arena_print(arena, "qsosync://config?v=1&url=%s&key=%s", encoded, key);
}

char *setup_link_make_app(struct arena *arena, const char *service, const char *key)
{
    return arena_print(arena, "%s/app/#key=%s", service, key);
}

/* Draws QR codes. In SVG, each run of black modules in a row is one rectangle. On a terminal, a
 * character shows two modules, one above the other, because characters are twice as high as wide.
 * libqrencode creates the code from the caller's text. */

/* Returns whether a module is black. Everything outside the code is white. */
static bool is_black(const QRcode *code, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < code->width && y < code->width;
    return inside && (code->data[y * code->width + x] & 1);
}

bool qr_code_append_path(const char *text, struct buffer *out, int *side)
{
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
    if (!code)
        return false;
    for (int y = 0; y < code->width; y++)
        for (int x = 0, end; x < code->width; x = end + 1) {
            for (end = x; is_black(code, end, y); end++)
                ;
            if (end > x)
                buffer_print(out, "M%d %dh%dv1h-%dz", x + QR_CODE_MARGIN, y + QR_CODE_MARGIN,
                             end - x, end - x);
        }
    *side = code->width + 2 * QR_CODE_MARGIN;
    QRcode_free(code);
    return true;
}

/* Appends lines. White is the text colour, because a terminal's white background is often grey. */
bool qr_code_append_lines(const char *text, struct buffer *out)
{
    static const char *const characters[2][2] = {{"\u2588", "\u2580"}, {"\u2584", " "}};
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
    if (!code)
        return false;
    for (int y = -QR_CODE_MARGIN; y < code->width + QR_CODE_MARGIN; y += 2) {
        buffer_append_string(out, "\033[40;97m");
        for (int x = -QR_CODE_MARGIN; x < code->width + QR_CODE_MARGIN; x++)
            buffer_append_string(out, characters[is_black(code, x, y)][is_black(code, x, y + 1)]);
        buffer_append_string(out, "\033[0m\n");
    }
    QRcode_free(code);
    return true;
}
