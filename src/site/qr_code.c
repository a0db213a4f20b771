/* One rectangle for each run of black modules in a row. */
#include "site/qr_code.h"

#include <qrencode.h>

static void append_row(const unsigned char *row, int width, int y, struct buffer *out)
{
    for (int x = 0; x < width;) {
        int end = x;
        while (end < width && (row[end] & 1))
            end++;
        if (end > x)
            buffer_print(out, "M%d %dh%dv1h-%dz", x + QR_CODE_MARGIN, y + QR_CODE_MARGIN, end - x,
                         end - x);
        x = end + 1;
    }
}

bool qr_code_append_path(const char *text, struct buffer *out, int *side)
{
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
    if (!code)
        return false;
    for (int y = 0; y < code->width; y++)
        append_row(code->data + y * code->width, code->width, y, out);
    *side = code->width + 2 * QR_CODE_MARGIN;
    QRcode_free(code);
    return true;
}
