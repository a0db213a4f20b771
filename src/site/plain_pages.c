/* GET /cluster/, /operator/ and below /docs/: pages that scripts or their readers fill, with
 * nothing of the logbook in them but whose service it is, and who is signed in. They are
 * src/pages/cluster.html and operator.html, the description of the API, which src/build/docs-page
 * makes, and the papers of src/manual/papers, which src/build/paper makes into pages. */
#include "site/access.h"
#include "site/page.h"
#include "site/routes.h"

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
static const char design_paper[] =
#include "pages/paper-design.inc"
    ;

static const struct error *answer_page(struct exchange *exchange, const char *page)
{
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, page, "../", NULL, NULL);
    return NULL;
}

static const struct error *answer_cluster(struct exchange *exchange)
{
    return answer_page(exchange, cluster);
}

static const struct error *answer_operator(struct exchange *exchange)
{
    return answer_page(exchange, operator);
}

static const struct error *answer_docs(struct exchange *exchange)
{
    return answer_page(exchange, docs);
}

static const struct error *answer_members_paper(struct exchange *exchange)
{
    return answer_page(exchange, members_paper);
}

static const struct error *answer_operators_paper(struct exchange *exchange)
{
    return answer_page(exchange, operators_paper);
}

static const struct error *answer_programs_paper(struct exchange *exchange)
{
    return answer_page(exchange, programs_paper);
}

static const struct error *answer_design_paper(struct exchange *exchange)
{
    return answer_page(exchange, design_paper);
}

#define PLAIN_PAGE(name, where, function)                                                          \
    ROUTE(name) = {.method = METHOD_GET,                                                           \
                   .path = where,                                                                  \
                   .use = USES_NOTHING,                                                            \
                   .is_tagged = true,                                                              \
                   .status = 200,                                                                  \
                   .answer = function}

PLAIN_PAGE(cluster_page, "/cluster/", answer_cluster);
PLAIN_PAGE(operator_page, "/operator/", answer_operator);
PLAIN_PAGE(docs_page, "/docs/", answer_docs);
PLAIN_PAGE(members_paper_page, "/docs/members", answer_members_paper);
PLAIN_PAGE(operators_paper_page, "/docs/operators", answer_operators_paper);
PLAIN_PAGE(programs_paper_page, "/docs/programs", answer_programs_paper);
PLAIN_PAGE(design_paper_page, "/docs/design", answer_design_paper);
