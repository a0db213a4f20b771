/* GET /cluster/, /operator/ and /docs/: pages that scripts or their readers fill, with nothing of
 * the logbook in them but whose service it is, and who is signed in. They are
 * src/pages/cluster.html and operator.html, and the description of the API, which is made by
 * src/build/docs-page. */
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
