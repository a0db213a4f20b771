/* What stands between a client and the web server: a proxy, which ends TLS and passes requests on.
 * Whether there is one is told by the service itself, of what it sees of a request
 * (/healthz?request). */
#ifndef QSOSYNC_DOCTOR_CHECK_PROXY_H
#define QSOSYNC_DOCTOR_CHECK_PROXY_H

#include "doctor/probe.h"

/* Fills probe->way. Of a service without pages nothing is known. */
void check_proxy_learn(struct probe *probe);

/* The web server behind the proxy, by the address that the shipped site for it has on this machine.
 * False: there is no proxy, or that server is not here. */
bool check_proxy_find_inner(struct probe *probe, struct probe *inner);

/* Adds a finding for each fault that only a proxy has: HTTP/1.0, kept answers. */
void check_proxy(struct probe *probe);

/* Adds a finding where two addresses of this machine share one request limit, as all do where the
 * service takes the proxy's address for that of each client. */
void check_proxy_clients(struct probe *probe);

#endif
