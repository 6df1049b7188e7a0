/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CHOICE - which policy a client obeys.
 * The first item of 'select' whose conditions all hold chooses; without one it
 * is the listener's own policy. A credential that is not known is refused and
 * never ignored: whoever sends one does not mean the policy for strangers. */
#ifndef PROXY_CHOICE_H
#define PROXY_CHOICE_H

#include "base/compiler.h"
#include "proxy/conf.h"
#include "proxy/credential.h"

enum choice_fault {
	CHOICE_OK = 0,
	CHOICE_MISSING, /* the listener wants a credential */
	CHOICE_WRONG,
};

struct choice {
	enum choice_fault fault; /* then the rest is empty */
	const struct judge *judge;
	const char *session; /* NULL: the proxy's own */
};

/*
 * An address that came in by a handed-in socket meets no condition on clients:
 * inside a sealed namespace any source can be had.
 */
struct choice choice_make(const struct proxy_conf *conf,
			  const struct conf_listener *listener,
			  const struct addr *client,
			  const struct credential *credential)
	NONNULL(1, 2, 3, 4);

const char *choice_fault_text(enum choice_fault fault);

#endif
