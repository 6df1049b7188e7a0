/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "base/cleanup.h"
#include "base/fd.h"

#include "probe/world_conn.h"
#include "probe/world_ports.h"
#include "probe/world_recorder.h"
#include "probe/world_space.h"
#include "probe/world_tls.h"
#include "probe/world_zone.h"

/* Connections, sockets, and room for what a library opens. */
#define DESCRIPTORS_MIN (WORLD_CONNS_MAX + 128)

/* Four addresses of its own and those in the records. */
#define OWN_MAX 128

struct world {
	const struct world_options *options;
	int ca_fd;
	struct world_zone *zone;
	struct world_context context;
	struct event_base *base;
	struct event *on_term, *on_int, *on_lifetime;
	struct world_conns *conns;
	struct world_ports *ports;
	bool failed; /* the report could not be written */
};

static void free_event(struct event *event)
{
	if (event)
		event_free(event);
}

static void world_release(struct world *world)
{
	world_ports_close(world->ports);
	world_conns_free(world->conns);
	free_event(world->on_term);
	free_event(world->on_int);
	free_event(world->on_lifetime);
	if (world->base)
		event_base_free(world->base);
	world_tls_free(world->context.tls);
	world_recorder_close(world->context.recorder);
	world_zone_free(world->zone);
	fd_close(&world->ca_fd);
}

/* ---- names and addresses ---- */

static struct addr fixed(const char *text)
{
	struct addr addr;

	if (!addr_parse(span_of(text), &addr))
		bug("'%s' is no address", text);
	return addr;
}

static int make_zone(struct world *world, struct error *err)
{
	const struct world_options *options = world->options;
	const struct addr web[] = { fixed(WORLD_WEB4), fixed(WORLD_WEB6) };

	world->zone = world_zone_new(web, ARRAY_SIZE(web), err);
	if (!world->zone)
		return -1;
	world->context.zone = world->zone;
	for (size_t i = 0; i < options->record_count; i++)
		if (world_zone_add(world->zone, options->records[i], err) < 0)
			return -1;
	return 0;
}

static bool documentation(const struct addr *addr)
{
	static const char *const ranges[] = {
		"192.0.2.0/24",  "198.51.100.0/24", "203.0.113.0/24",
		"2001:db8::/32", "3fff::/20", /* RFC 5737, 3849, 9637 */
	};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		struct cidr range;

		if (cidr_parse(span_of(ranges[i]), &range) &&
		    cidr_contains(&range, addr))
			return true;
	}
	return false;
}

/* Once each: the kernel refuses to add an address twice. */
static size_t add_own(struct addr *own, size_t count, const struct addr *addr)
{
	for (size_t i = 0; i < count; i++)
		if (addr_equal(&own[i], addr))
			return count;
	if (count < OWN_MAX)
		own[count++] = *addr;
	return count;
}

/*
 * Addresses in records that are not of the documentation ranges arrive by the
 * route to everywhere and need not be lo's;
 * neither do those beyond OWN_MAX.
 */
static size_t own_addresses(const struct world_zone *zone, struct addr *own)
{
	static const char *const always[] = { WORLD_DNS4, WORLD_DNS6,
					      WORLD_WEB4, WORLD_WEB6 };
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(always); i++) {
		struct addr addr = fixed(always[i]);

		count = add_own(own, count, &addr);
	}
	for (size_t i = 0; i < world_zone_count(zone); i++) {
		const struct world_name *name = world_zone_at(zone, i);

		for (size_t k = 0; k < name->addr_count; k++)
			if (documentation(&name->addrs[k]))
				count = add_own(own, count, &name->addrs[k]);
	}
	return count;
}

/* ---- beginning ---- */

static int raise_descriptors(struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_sys(err, "cannot read the limit of descriptors");
	if (limit.rlim_cur >= DESCRIPTORS_MIN)
		return 0;
	limit.rlim_cur = DESCRIPTORS_MIN;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_sys(err, "cannot have %d descriptors",
				 DESCRIPTORS_MIN);
	return 0;
}

/* A regular file only: the mode of a device is not ours to change. */
static int open_ca(struct world *world, struct error *err)
{
	const char *path = world->options->ca;
	struct stat st;

	world->ca_fd =
		open(path,
		     O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
		     0644);
	if (world->ca_fd < 0 || fstat(world->ca_fd, &st) < 0)
		return error_sys(err, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return error_kind_set(err, ERROR_INPUT,
				      "'%s' is not a regular file", path);
	if (ftruncate(world->ca_fd, 0) < 0 || fchmod(world->ca_fd, 0644) < 0)
		return error_sys(err, "cannot write '%s'", path);
	return 0;
}

/* Files are opened before the namespaces change what the user may open. */
static int open_files(struct world *world, struct error *err)
{
	world->context.recorder = world_recorder_open(world->options->report,
						      WORLD_REPORT_MAX, err);
	if (!world->context.recorder)
		return -1;
	return world->options->ca ? open_ca(world, err) : 0;
}

static int start_tls(struct world *world, struct error *err)
{
	world->context.tls = world_tls_new(world->context.recorder, err);
	if (!world->context.tls)
		return -1;
	if (world->ca_fd >= 0 &&
	    world_tls_write_ca(world->context.tls, world->ca_fd, err) < 0)
		return error_wrap(err, "'%s'", world->options->ca);
	fd_close(&world->ca_fd);
	return 0;
}

static void end_cb(evutil_socket_t fd, short what, void *arg)
{
	struct world *world = arg;

	(void)fd;
	(void)what;
	event_base_loopbreak(world->base);
}

static void lifetime_cb(evutil_socket_t fd, short what, void *arg)
{
	char bytes[64];
	ssize_t n = read((int)fd, bytes, sizeof(bytes));

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		end_cb(fd, what, arg);
}

static void recorder_failed(void *arg)
{
	struct world *world = arg;

	world->failed = true;
	event_base_loopbreak(world->base);
}

static int watch(struct event **slot, struct event *event, struct error *err)
{
	*slot = event;
	if (!event || event_add(event, NULL) < 0)
		return error_set(err, "cannot watch for the end");
	return 0;
}

static int watch_for_the_end(struct world *world, struct error *err)
{
	int lifetime = world->options->lifetime_fd;

	if (watch(&world->on_term,
		  evsignal_new(world->base, SIGTERM, end_cb, world), err) < 0 ||
	    watch(&world->on_int,
		  evsignal_new(world->base, SIGINT, end_cb, world), err) < 0)
		return -1;
	if (lifetime < 0)
		return 0;
	return watch(&world->on_lifetime,
		     event_new(world->base, lifetime, EV_READ | EV_PERSIST,
			       lifetime_cb, world),
		     err);
}

static int start_serving(struct world *world, struct error *err)
{
	world->base = event_base_new();
	if (!world->base)
		return error_set(err, "cannot make an event loop");
	world_recorder_on_failure(world->context.recorder, recorder_failed,
				  world);
	if (watch_for_the_end(world, err) < 0)
		return -1;
	world->conns = world_conns_new(world->base, &world->context, err);
	if (!world->conns)
		return -1;
	world->ports = world_ports_open(world->base, &world->context,
					world->conns, err);
	return world->ports ? 0 : -1;
}

static int say_ready(const struct world *world, struct error *err)
{
	autoclose int fd = world->options->ready_fd;
	char line[256];
	uint64_t inode;
	int size;

	if (fd < 0)
		return 0;
	if (world_space_inode(&inode, err) < 0)
		return -1;
	size = snprintf(line, sizeof(line),
			"{\"pid\":%d,\"netns\":%llu,\"dns\":[\"" WORLD_DNS4
			"\"],\"web\":[\"" WORLD_WEB4 "\",\"" WORLD_WEB6
			"\"]}\n",
			getpid(), (unsigned long long)inode);
	if (fd_write_all(fd, line, (size_t)size, err) < 0)
		return error_wrap(err, "cannot say that the world is ready");
	return 0;
}

static int world_start(struct world *world, struct error *err)
{
	struct addr own[OWN_MAX];

	if (raise_descriptors(err) < 0 || make_zone(world, err) < 0 ||
	    open_files(world, err) < 0 ||
	    world_space_enter(own, own_addresses(world->zone, own), err) < 0 ||
	    start_tls(world, err) < 0 || start_serving(world, err) < 0)
		return -1;
	return say_ready(world, err);
}

int world_run(const struct world_options *options, struct error *err)
{
	cleanup(world_release) struct world world = { .options = options,
						      .ca_fd = -1 };

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* the recorder sees EFBIG instead */
	if (world_start(&world, err) < 0)
		return -1;
	if (event_base_dispatch(world.base) < 0)
		return error_set(err, "the event loop failed");
	if (world.failed)
		return error_kind_set(err, ERROR_SYSTEM,
				      "the report is not whole");
	return 0;
}
