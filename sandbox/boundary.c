/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/boundary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fw/plan.h"
#include "sandbox/proxy_service.h"
#include "sandbox/run_dir.h"
#include "sandbox/seal.h"

struct boundary {
	struct identity identity;
	struct fw_plan *plan;
	struct seal seal;
	struct outside outside;
	struct service proxy;
	struct run_dir run_dir;
	char *audit, *config;
};

void boundary_free(struct boundary *boundary)
{
	if (!boundary)
		return;
	/* Still running only after an error that is reported already. */
	service_kill(&boundary->proxy);
	outside_release(&boundary->outside);
	seal_release(&boundary->seal);
	fw_plan_free(boundary->plan);
	run_dir_remove(&boundary->run_dir);
	free(boundary->audit);
	free(boundary->config);
	free(boundary);
}

static void boundary_cleanup(struct boundary **boundary)
{
	boundary_free(*boundary);
}

/* The pretend world lies in documentation space, opened address by address. */
static int permit_world(struct policy *policy, const struct outside *outside,
			struct error *err)
{
	for (size_t i = 0; i < outside->web_count; i++)
		if (policy_permit(policy, addr_print(&outside->web[i]).text,
				  err) < 0)
			return -1;
	return 0;
}

static int make_files(struct boundary *boundary, struct error *err)
{
	const char *path;

	if (run_dir_make(boundary->identity.proxy, &boundary->run_dir, err) < 0)
		return -1;
	path = boundary->run_dir.path;
	if (asprintf(&boundary->audit, "%s/egress.log", path) < 0)
		boundary->audit = NULL;
	if (asprintf(&boundary->config, "%s/proxy.yaml", path) < 0)
		boundary->config = NULL;
	return boundary->audit && boundary->config
		       ? 0
		       : error_sys(err, "no memory for a boundary");
}

static int make_seal(struct boundary *boundary, struct error *err)
{
	struct fw_sealed layout = fw_sealed_default();

	boundary->plan = fw_plan_sealed(&layout, err);
	if (!boundary->plan)
		return -1;
	return seal_make(boundary->identity.agent, &layout, boundary->plan,
			 &boundary->seal, err);
}

static int start_proxy(struct boundary *boundary, const struct policy *policy,
		       const char *id, struct error *err)
{
	const struct proxy_spec spec = {
		.policy = policy,
		.outside = &boundary->outside,
		.listener = boundary->seal.proxy_listener,
		.config = boundary->config,
		.audit = boundary->audit,
		.session = id,
		.user = boundary->identity.proxy,
	};
	int result = proxy_service_start(&spec, &boundary->proxy, err);

	/* The proxy has its own copy; ours would keep the port open. */
	fd_close(&boundary->seal.proxy_listener);
	return result;
}

struct boundary *boundary_start(struct policy *policy, const char *id,
				enum outside_kind outside, struct error *err)
{
	cleanup(boundary_cleanup) struct boundary *boundary =
		calloc(1, sizeof(*boundary));

	if (!boundary) {
		error_sys(err, "no memory for a boundary");
		return NULL;
	}
	boundary->run_dir = RUN_DIR_INIT;
	boundary->seal = SEAL_INIT;
	boundary->proxy = SERVICE_INIT;
	boundary->outside = (struct outside){ .world = SERVICE_INIT,
					      .user_ns = -1,
					      .net_ns = -1 };
	if (!launch_engine(err) ||
	    identity_find(&boundary->identity, err) < 0 ||
	    make_files(boundary, err) < 0 ||
	    outside_start(outside, boundary->identity.proxy,
			  boundary->run_dir.path, &boundary->outside,
			  err) < 0 ||
	    permit_world(policy, &boundary->outside, err) < 0 ||
	    make_seal(boundary, err) < 0 ||
	    start_proxy(boundary, policy, id, err) < 0)
		return NULL;
	return steal(boundary);
}

int boundary_stop(struct boundary *boundary, struct error *err)
{
	struct error later;
	int result = service_stop(&boundary->proxy, err);

	if (service_stop(&boundary->outside.world, result < 0 ? &later : err) <
	    0)
		result = -1;
	if (boundary_verify_rules(boundary, result < 0 ? &later : err) < 0)
		result = -1;
	return result;
}

int boundary_launch(const struct boundary *boundary, const struct plan *plan,
		    const int stdio[3], int terminal, struct launch *out,
		    struct error *err)
{
	return launch_start(&boundary->seal, &boundary->identity, plan, stdio,
			    terminal, out, err);
}

int boundary_check(const struct boundary *boundary, struct error *err)
{
	if (service_ended(&boundary->proxy))
		return error_kind_set(err, ERROR_BOUNDARY,
				      "coworkproxy ended during the run");
	if (service_ended(&boundary->outside.world))
		return error_kind_set(err, ERROR_BOUNDARY,
				      "the pretend world ended during the run");
	return 0;
}

int boundary_wait(const struct boundary *boundary, struct launch *launch,
		  int interrupt, struct error *err)
{
	struct pollfd fds[] = {
		{ launch->pid_fd, POLLIN, 0 },
		{ boundary->proxy.pid_fd, POLLIN, 0 },
		{ boundary->outside.world.pid_fd, POLLIN, 0 },
		{ interrupt, POLLIN, 0 },
	};

	while (poll(fds, ARRAY_SIZE(fds), -1) < 0)
		if (errno != EINTR)
			bug("poll: errno %d", errno);
	if (boundary_check(boundary, err) < 0) {
		launch_kill(launch);
		return -1;
	}
	if (!fds[0].revents && fds[3].revents) {
		launch_kill(launch);
		return error_set(err, "interrupted");
	}
	return launch_wait(launch, err);
}

/* Our own copy: the seal's stays for the next question. */
static struct netlink *open_rules(const struct boundary *boundary,
				  struct error *err)
{
	int copy = fcntl(boundary->seal.nft, F_DUPFD_CLOEXEC, 3);
	struct netlink *link;

	if (copy < 0) {
		error_sys(err, "cannot read the rules");
		return NULL;
	}
	link = netlink_adopt(copy, err);
	if (!link)
		close(copy);
	return link;
}

int boundary_counters(const struct boundary *boundary, struct fw_counters *out,
		      struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link =
		open_rules(boundary, err);

	return link ? fw_counters_read(link, boundary->plan, out, err) : -1;
}

int boundary_verify_rules(const struct boundary *boundary, struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link =
		open_rules(boundary, err);

	return link ? fw_verify(link, boundary->plan, err) : -1;
}

const char *boundary_audit_path(const struct boundary *boundary)
{
	return boundary->audit;
}

struct endpoint boundary_proxy(const struct boundary *boundary)
{
	return boundary->seal.proxy;
}

const struct outside *boundary_outside(const struct boundary *boundary)
{
	return &boundary->outside;
}

const struct identity *boundary_identity(const struct boundary *boundary)
{
	return &boundary->identity;
}

void boundary_ends(const struct boundary *boundary, int ends[2])
{
	ends[0] = boundary->proxy.pid_fd;
	ends[1] = boundary->outside.world.pid_fd;
}
