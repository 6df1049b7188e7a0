/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JOURNAL - the audit log as this process writes it: with its sync policy.
 * A record that could not be made as durable as was promised counts as not
 * written; after a failed sync nothing is ever written again, because the
 * kernel may have dropped what it could not store. */
#ifndef PROXY_JOURNAL_H
#define PROXY_JOURNAL_H

#include <event2/event.h>

#include "base/audit.h"
#include "base/compiler.h"
#include "base/error.h"
#include "proxy/conf.h"

#define JOURNAL_BATCH_MS 100 /* how long a batch may wait for its sync */

struct journal;

struct journal *journal_open(struct event_base *base, const char *path,
			     enum conf_sync sync, struct error *err) MUST_CHECK
	NONNULL(1, 2, 4);
/* Syncs what is outstanding. */
void journal_close(struct journal *journal);

MUST_CHECK int journal_write(struct journal *journal,
			     const struct audit_event *event, struct error *err)
	NONNULL(1, 2, 3);

/* As audit_last() and audit_incident(). */
const char *journal_last(const struct journal *journal) NONNULL(1);
void journal_incident(struct journal *journal, char out[AUDIT_INCIDENT_MAX])
	NONNULL(1, 2);

#endif
