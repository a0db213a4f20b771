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

const char *page_linked(struct arena *arena, struct text text)
{
    const char *html = html_of(arena, text);
    return is_link(text) ? arena_print(arena, "<a rel=\"noreferrer\" href=\"%s\"><bdi>%s</bdi></a>",
                                       html, html)
                         : arena_print(arena, "<bdi>%s</bdi>", html);
}

struct filling {
    struct exchange *exchange;
    const char *root;
    struct text place; /* the page's own name, among those that the top leads to */
    const struct page_value *common, *own;
};

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
static const char *account_of(const struct filling *filling, bool is_member, const char *callsign)
{
    struct arena *arena = filling->exchange->arena;
    if (!is_member)
        return arena_print(
            arena, "<a id=\"account\" class=\"account\" href=\"%ssign-in\"%s data-say>Sign in</a>",
            filling->root, is_known_who(filling->exchange) ? " data-member=\"\"" : "");
    return arena_print(
        arena,
        "<details id=\"account\" class=\"menu\" data-member=\"%s\"><summary><bdi>%s</bdi>"
        "</summary><div>\n<a href=\"%sprofile/#account\" data-say>Account</a>\n"
        "<form method=\"post\" action=\"%ssign-out\"><button data-say>Sign out</button></form>",
        callsign, callsign, filling->root, filling->root);
}

static const char *operator_of(const struct filling *filling)
{
    return filling->exchange->identity.is_operator
               ? arena_print(filling->exchange->arena,
                             "<a href=\"%soperator/\"%s data-say>Club</a>\n", filling->root,
                             current_of(filling, text_of("operator")))
               : NULL;
}

static const char *foot_of(const struct filling *filling, const struct club *club)
{
    struct arena *arena = filling->exchange->arena;
    struct text legal = club->values[CLUB_LEGAL];
    const char *where =
        is_link(legal) ? html_of(arena, legal) : arena_print(arena, "%s#legal", filling->root);
    const char *notice =
        legal.bytes
            ? arena_print(arena, " \xC2\xB7 <a href=\"%s\" data-say>Legal notice</a>", where)
            : "";
    return arena_print(arena,
                       "<footer><p><bdi>%s</bdi>%s \xC2\xB7 <a href=\"%sdocs/\"%s "
                       "data-say>Documentation</a></p></footer>",
                       html_of(arena, club->values[CLUB_NAME]), notice, filling->root,
                       current_of(filling, text_of("docs")));
}

static void append_page(const struct filling *filling, const char *page);

/* Parts hold names, too; "top:NAME" and "current:NAME" know the place of the page. */
static void append_value(const struct filling *filling, struct text name)
{
    struct buffer *out = &filling->exchange->response->body;
    static const char current[] = "current:";
    const struct page_value parts[] = {{"head", head}, {"scripts", scripts}, {NULL, NULL}};
    const struct page_value *const lists[] = {filling->common, filling->own};
    if (begins_with(name, "top:"))
        append_page(filling, top);
    if (begins_with(name, current))
        buffer_append_string(out, current_of(filling, text_skip(name, sizeof current - 1)));
    for (const struct page_value *part = parts; part->name; part++)
        if (text_equals(name, text_of(part->name)))
            append_page(filling, part->html);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct page_value *value = lists[i]; value && value->name; value++)
            if (value->html && text_equals(name, text_of(value->name)))
                buffer_append_string(out, value->html);
}

static void append_page(const struct filling *filling, const char *page)
{
    struct buffer *out = &filling->exchange->response->body;
    const char *at = page, *start, *end;
    while ((start = strstr(at, "{{")) != NULL && (end = strstr(start, "}}")) != NULL) {
        buffer_append(out, at, (size_t)(start - at));
        append_value(filling, (struct text){start + 2, (size_t)(end - start) - 2});
        at = end + 2;
    }
    buffer_append_string(out, at);
}

/* The accent is one that the style sheet knows (store/club.c); none is blue. Whoever is signed in
 * has the language in the menu of the account. */
void page_answer(struct exchange *exchange, const char *page, const char *root,
                 const struct page_value *values)
{
    static const char mark[] = "{{top:";
    struct arena *arena = exchange->arena;
    const struct club *club = club_of(exchange);
    const char *place = strstr(page, mark) + sizeof mark - 1;
    struct filling filling = {exchange, root, {place, strcspn(place, "}")}, NULL, values};
    const char *callsign = html_of(arena, exchange->identity.callsign);
    struct text accent = club->values[CLUB_ACCENT];
    bool is_member = exchange->identity.credential == CREDENTIAL_SESSION;
    filling.common = (const struct page_value[]){
        {"root", root},
        {"pages", arena_print(arena, "%spages/files-%s/pages/", root, version)},
        {"operator", operator_of(&filling)},
        {"account", account_of(&filling, is_member, callsign)},
        {"account-end", is_member ? "</div></details>\n" : NULL},
        {"accent",
         accent.bytes ? arena_print(arena, " data-accent=\"%s\"", html_of(arena, accent)) : NULL},
        {"member", callsign},
        {"club", html_of(arena, club->values[CLUB_NAME])},
        {"foot", foot_of(&filling, club)},
        {NULL, NULL}};
    append_page(&filling, page);
    exchange->response->content_type = "text/html; charset=utf-8";
}

void page_opening_answer(struct exchange *exchange, const char *root, const char *where)
{
    page_answer(exchange, opening, root, (const struct page_value[]){{"where", where}, {0}});
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
    page_answer(exchange, page, "../", NULL);
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
