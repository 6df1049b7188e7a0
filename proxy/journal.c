/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/journal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"

struct journal {
	struct audit *audit;
	enum conf_sync sync;
	int fd; /* the same file, for fdatasync(2) */
	struct event *batch;
	bool lost; /* a sync failed */
};

static int sync_now(struct journal *journal, struct error *err)
{
	if (fdatasync(journal->fd) == 0)
		return 0;
	journal->lost = true;
	return error_sys(err, "cannot sync the audit log");
}

static void batch_cb(evutil_socket_t fd, short what, void *arg)
{
	struct error err;

	(void)fd;
	(void)what;
	if (sync_now(arg, &err) < 0)
		log_error("%s", err.text);
}

static int open_sync(struct journal *journal, struct event_base *base,
		     const char *path, struct error *err)
{
	if (journal->sync == CONF_SYNC_NONE)
		return 0;
	journal->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
	if (journal->fd < 0)
		return error_sys(err, "cannot open '%s'", path);
	journal->batch = evtimer_new(base, batch_cb, journal);
	return journal->batch ? 0 : error_set(err, "no memory for a timer");
}

struct journal *journal_open(struct event_base *base, const char *path,
			     enum conf_sync sync, struct error *err)
{
	struct journal *journal = calloc(1, sizeof(*journal));

	if (!journal) {
		error_sys(err, "no memory for the audit log");
		return NULL;
	}
	journal->fd = -1;
	journal->sync = sync;
	journal->audit = audit_open(path, err);
	if (!journal->audit || open_sync(journal, base, path, err) < 0) {
		journal_close(journal);
		return NULL;
	}
	return journal;
}

void journal_close(struct journal *journal)
{
	struct error err;

	if (!journal)
		return;
	if (journal->batch && evtimer_pending(journal->batch, NULL) &&
	    sync_now(journal, &err) < 0)
		log_error("%s", err.text);
	if (journal->batch)
		event_free(journal->batch);
	fd_close(&journal->fd);
	audit_close(journal->audit);
	free(journal);
}

int journal_write(struct journal *journal, const struct audit_event *event,
		  struct error *err)
{
	static const struct timeval wait = { .tv_usec =
						     JOURNAL_BATCH_MS * 1000 };

	if (journal->lost)
		return error_set(err, "the audit log lost records before");
	if (audit_write(journal->audit, event, err) < 0)
		return -1;
	if (journal->sync == CONF_SYNC_EACH)
		return sync_now(journal, err);
	if (journal->sync == CONF_SYNC_BATCH &&
	    !evtimer_pending(journal->batch, NULL))
		evtimer_add(journal->batch, &wait);
	return 0;
}

const char *journal_last(const struct journal *journal)
{
	return audit_last(journal->audit);
}

void journal_incident(struct journal *journal, char out[AUDIT_INCIDENT_MAX])
{
	audit_incident(journal->audit, out);
}
