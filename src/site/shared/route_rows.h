/* Macros for rows of routes, which several folders of the site use. Each folder lists its own
 * routes in its routes.h, and src/site/main.c collects the lists. */
#ifndef QSOSYNC_SITE_ROUTE_ROWS_H
#define QSOSYNC_SITE_ROUTE_ROWS_H

#include "worker/route.h"

/* Chooses a route's use of the store by its method: a GET only reads, so a snapshot is enough. */
#define ROUTE_USE(verb) ((verb) == METHOD_GET ? USES_SNAPSHOT : USES_STORE)

/* Defines a row. Fields that differ from the defaults follow the path: .status = 200 and so on. */
#define SITE_ROUTE(name, verb, where, ...)                                                         \
    ROUTE(name) = {.method = verb, .path = where, __VA_ARGS__}

/* Define rows of public routes: PUBLIC_ROUTE for any answer, PUBLIC_OBJECT_ROUTE for an object, and
 * TAGGED_ROUTE for an answer with an entity tag, such as a page. */
#define PUBLIC_ROUTE(name, verb, where, uses, success, function, ...)                              \
    SITE_ROUTE(name, verb, where, .use = uses, .status = success, .answer = function, __VA_ARGS__)
#define PUBLIC_OBJECT_ROUTE(name, verb, where, uses, function)                                     \
    SITE_ROUTE(name, verb, where, .use = uses, .status = 200, .is_object = true, .answer = function)
#define TAGGED_ROUTE(name, where, uses, function)                                                  \
    SITE_ROUTE(name, METHOD_GET, where, .use = uses, .is_tagged = true, .status = 200,             \
               .answer = function)

#endif
