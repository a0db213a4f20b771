/* The errors that the API does not have, of sessions, forms, uploads and the operator's page. A
 * fact about one stands in schema/site_errors.tsv and nowhere else; src/http/error.c has those that
 * both programs answer with. */
#include "site/site_error.h"

#include <stddef.h>

#define ROW(name, status, code, sentence, ...)                                                     \
    const struct error site_error_##name = {status, code, __VA_ARGS__, NULL, NULL};
#include "schema/site_errors.inc"
#undef ROW
