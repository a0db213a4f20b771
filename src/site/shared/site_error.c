/* Defines the errors that the API does not have: for sessions, forms, uploads and the operator's
 * page. Their data is only in schema/site_errors.tsv; src/http/error.c defines the errors of both
 * programs. */
#include "site/shared/site_error.h"

#include <stddef.h>

#define ROW(name, status, code, sentence, ...)                                                     \
    const struct error site_error_##name = {status, code, __VA_ARGS__, NULL, NULL};
#include "schema/site_errors.inc"
#undef ROW
