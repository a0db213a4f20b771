/* Fills in pages: names in braces are replaced by texts, and what the pages have in common by parts
 * that are files under src/pages, too. Texts of members never become markup, and never change the
 * direction of the text beside them. Who is signed in stands in the exchange, if the route or its
 * access has looked; a page that says so is kept by no cache, which the route sees to. */
#include "site/page.h"

#include <string.h>

#include "json/write.h"
#include "links/setup_link.h"
#include "site/access.h"
#include "site/address.h"
#include "site/routes.h"

/* -- Filling in -------------------------------------------------------------------------------- */

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
    json_write_object(body, name, json_integer("size", side),
                      json_text("path", (struct text){path.bytes, path.length}),
                      json_text("text", text_of(text)));
    explicit_bzero(path.bytes, path.length);
    buffer_free(&path);
}

/* -- What pages have in common ----------------------------------------------------------------- */

/* Parts of every page: what a browser needs first, what a script needs, and the top of it. */
static const char head[] =
#include "pages/head.inc"
    ;
static const char scripts[] =
#include "pages/scripts.inc"
    ;
static const char top[] =
#include "pages/top.inc"
    ;
static const char opening[] =
#include "pages/opening.inc"
    ;

/* Browsers keep these files for a year: each release has them in a folder of its own. */
static const char version[] =
#include "pages/version.inc"
    ;

struct filling {
    struct exchange *exchange;
    const char *root;
    html_append_value append;
    void *context;
    const struct club *club;
    struct text place; /* the page's own name, among those that the top leads to */
};

static bool begins_with(struct text text, const char *start)
{
    size_t length = strlen(start);
    return text.length > length && memcmp(text.bytes, start, length) == 0;
}

static bool is_link(struct text text)
{
    if (!begins_with(text, "https://") && !begins_with(text, "http://"))
        return false;
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] <= ' ')
            return false;
    return true;
}

void page_append_linked(struct buffer *out, struct text text)
{
    bool linked = is_link(text);
    if (linked) {
        buffer_append_string(out, "<a rel=\"noreferrer\" href=\"");
        html_append_text(out, text);
        buffer_append_string(out, "\">");
    }
    buffer_append_string(out, "<bdi>");
    html_append_text(out, text);
    buffer_append_string(out, linked ? "</bdi></a>" : "</bdi>");
}

static const char *current_of(const struct filling *filling, struct text place)
{
    return text_equals(place, filling->place) ? " aria-current=\"page\"" : "";
}

/* A browser that follows a link of another site leaves the cookie out: then nobody knows who is
 * signed in. */
static bool is_known_who(const struct exchange *exchange)
{
    const char *site = gateway_variable(exchange->request->gateway, "HTTP_SEC_FETCH_SITE");
    return !site || (strcmp(site, "cross-site") != 0 && strcmp(site, "same-site") != 0);
}

/* The callsign, or that there is none, is for the pages that are files: see account.js. */
static void append_account(const struct filling *filling, struct buffer *out)
{
    const struct identity *identity = &filling->exchange->identity;
    if (identity->credential != CREDENTIAL_SESSION) {
        buffer_print(
            out, "<a id=\"account\" class=\"account\" href=\"%ssign-in\"%s data-say>Sign in</a>",
            filling->root, is_known_who(filling->exchange) ? " data-member=\"\"" : "");
        return;
    }
    buffer_append_string(out, "<details id=\"account\" class=\"menu\" data-member=\"");
    html_append_text(out, identity->callsign);
    buffer_append_string(out, "\"><summary><bdi>");
    html_append_text(out, identity->callsign);
    buffer_print(out,
                 "</bdi></summary><div>\n<a href=\"%sprofile/#account\" data-say>Account</a>\n"
                 "<form method=\"post\" action=\"%ssign-out\"><button data-say>Sign out</button>"
                 "</form>",
                 filling->root, filling->root);
}

/* Whoever is signed in has the language in the same menu. */
static void append_account_end(const struct filling *filling, struct buffer *out)
{
    if (filling->exchange->identity.credential == CREDENTIAL_SESSION)
        buffer_append_string(out, "</div></details>\n");
}

static void append_operator(const struct filling *filling, struct buffer *out)
{
    if (filling->exchange->identity.is_operator)
        buffer_print(out, "<a href=\"%soperator/\"%s data-say>Club</a>\n", filling->root,
                     current_of(filling, text_of("operator")));
}

/* One that the style sheet knows (store/club.c); none is blue. */
static void append_accent(const struct filling *filling, struct buffer *out)
{
    struct text accent = filling->club->values[CLUB_ACCENT];
    if (accent.bytes)
        buffer_print(out, " data-accent=\"%.*s\"", (int)accent.length, accent.bytes);
}

static void append_foot(const struct filling *filling, struct buffer *out)
{
    struct text legal = filling->club->values[CLUB_LEGAL];
    buffer_append_string(out, "<footer><p><bdi>");
    html_append_text(out, filling->club->values[CLUB_NAME]);
    buffer_append_string(out, "</bdi>");
    if (legal.bytes) {
        buffer_append_string(out, " \xC2\xB7 <a href=\"");
        if (is_link(legal))
            html_append_text(out, legal);
        else
            buffer_print(out, "%s#legal", filling->root);
        buffer_append_string(out, "\" data-say>Legal notice</a>");
    }
    buffer_print(out, " \xC2\xB7 <a href=\"%sdocs/\"%s data-say>Documentation</a>", filling->root,
                 current_of(filling, text_of("docs")));
    buffer_append_string(out, "</p></footer>");
}

/* "start:rest" of a name: the rest; no text if it does not begin so. */
static struct text rest_of(struct text name, const char *start)
{
    size_t length = strlen(start);
    return begins_with(name, start) ? (struct text){name.bytes + length, name.length - length}
                                    : (struct text){0};
}

static void append_value(void *context, struct text name, struct buffer *out)
{
    struct filling *filling = context;
    struct text place = rest_of(name, "top:"), current = rest_of(name, "current:");
    if (place.bytes) {
        filling->place = place;
        html_append_page(out, top, append_value, filling);
    } else if (current.bytes)
        buffer_append_string(out, current_of(filling, current));
    else if (text_equals(name, text_of("head")))
        html_append_page(out, head, append_value, filling);
    else if (text_equals(name, text_of("scripts")))
        html_append_page(out, scripts, append_value, filling);
    else if (text_equals(name, text_of("pages")))
        buffer_print(out, "%spages/files-%s/pages/", filling->root, version);
    else if (text_equals(name, text_of("root")))
        buffer_append_string(out, filling->root);
    else if (text_equals(name, text_of("operator")))
        append_operator(filling, out);
    else if (text_equals(name, text_of("account")))
        append_account(filling, out);
    else if (text_equals(name, text_of("account-end")))
        append_account_end(filling, out);
    else if (text_equals(name, text_of("accent")))
        append_accent(filling, out);
    else if (text_equals(name, text_of("member")))
        html_append_text(out, filling->exchange->identity.callsign);
    else if (text_equals(name, text_of("club")))
        html_append_text(out, filling->club->values[CLUB_NAME]);
    else if (text_equals(name, text_of("foot")))
        append_foot(filling, out);
    else if (filling->append)
        filling->append(filling->context, name, out);
}

void page_answer(struct exchange *exchange, const char *page, const char *root,
                 html_append_value append, void *context)
{
    struct filling filling = {.exchange = exchange,
                              .root = root,
                              .append = append,
                              .context = context,
                              .club = club_of(exchange)};
    html_append_page(&exchange->response->body, page, append_value, &filling);
    exchange->response->content_type = "text/html; charset=utf-8";
}

static void append_where(void *context, struct text name, struct buffer *out)
{
    if (text_equals(name, text_of("where")))
        html_append_text(out, text_of(context));
}

void page_opening_answer(struct exchange *exchange, const char *root, const char *where)
{
    char *copy = arena_print(exchange->arena, "%s", where);
    page_answer(exchange, opening, root, append_where, copy);
}

/* GET /cluster/, /operator/ and below /docs/: pages that scripts or their readers fill, with
 * nothing of the logbook in them but whose service it is, and who is signed in. They are
 * src/pages/cluster/cluster.html and operator.html, the description of the API, which
 * src/build/docs-page makes, and the papers of src/manual/papers, which src/build/paper makes into
 * pages. */

static const char cluster[] =
#include "pages/cluster.inc"
    ;
static const char operator[] =
#include "pages/operator.inc"
    ;
static const char docs[] =
#include "pages/docs.inc"
    ;

static const char members_paper[] =
#include "pages/paper-members.inc"
    ;
static const char operators_paper[] =
#include "pages/paper-operators.inc"
    ;
static const char programs_paper[] =
#include "pages/paper-programs.inc"
    ;
static const char install_paper[] =
#include "pages/paper-install.inc"
    ;
static const char design_paper[] =
#include "pages/paper-design.inc"
    ;

static const struct error *answer_page(struct exchange *exchange, const char *page)
{
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, page, "../", NULL, NULL);
    return NULL;
}

#define PAGE(name, where)                                                                          \
    static const struct error *answer_##name(struct exchange *exchange)                            \
    {                                                                                              \
        return answer_page(exchange, name);                                                        \
    }                                                                                              \
    TAGGED_ROUTE(name##_page, where, USES_NOTHING, answer_##name)

PAGE(cluster, "/cluster/");
PAGE(operator, "/operator/");
PAGE(docs, "/docs/");
PAGE(members_paper, "/docs/members");
PAGE(operators_paper, "/docs/operators");
PAGE(programs_paper, "/docs/programs");
PAGE(install_paper, "/docs/install");
PAGE(design_paper, "/docs/design");
