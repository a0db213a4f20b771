/* Writes a QR code into an answer, as the path of a drawing that the page makes of it. What it
 * holds may be a secret, so what was needed to make it is wiped; the answer itself is wiped once it
 * is sent. */
#include "site/qr.h"

#include <string.h>

#include "json/write.h"
#include "links/qr_code.h"

void qr_write(struct buffer *body, const char *name, const char *text)
{
    struct buffer path = {0};
    int side;
    if (!qr_code_append_path(text, &path, &side)) {
        json_write_null(body, name);
        buffer_free(&path);
        return;
    }
    json_write_name(body, name);
    buffer_append(body, "{", 1);
    json_write_integer(body, "size", side);
    json_write_text(body, "path", (struct text){path.bytes, path.length});
    json_write_text(body, "text", text_of(text));
    buffer_append(body, "}", 1);
    explicit_bzero(path.bytes, path.length);
    buffer_free(&path);
}
