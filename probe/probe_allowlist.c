/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probes that go through the proxy: with a real client, and the variables
 * that the agent gets. */
#include "config.h"

#include "probe/probe.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define REACH_TRIES 3 /* reaching may be tried again, a denial never */

/* The first line of what curl wrote: CONNECT's status and the answer's. */
struct statuses {
	int connect, answer;
};

static struct statuses read_statuses(const struct scene_run *run)
{
	const char *at = run->output.data ? run->output.data : "";
	struct statuses s;

	for (; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
		if (sscanf(at, "%d %d", &s.connect, &s.answer) == 2)
			return s;
	return (struct statuses){ 0, 0 };
}

static bool world_saw(struct scene *scene, const char *host, bool *saw,
		      struct error *err)
{
	cleanup(world_report_release) struct world_report report = { 0 };

	*saw = false;
	if (!scene_has_world(scene))
		return true;
	if (scene_world_report(scene, &report, err) < 0)
		return false;
	*saw = world_report_saw_name(&report, host);
	return true;
}

/* ---- refused ---- */

/* One fetch that must be refused, with its row in the log. */
static bool refused(struct scene *scene, enum environment_kind environment,
		    const char *scheme, const char *host, uint16_t port,
		    struct probe_result *result)
{
	cleanup(scene_run_release) struct scene_run run = SCENE_RUN_INIT;
	bool tunnel = strcmp(scheme, "https") == 0;
	struct statuses got;
	size_t before, after;
	struct error err;
	char url[320];
	bool saw;

	snprintf(url, sizeof(url), "%s://%s/", scheme, host);
	if (scene_decisions(scene, "deny", host, port, &before, &err) < 0 ||
	    scene_fetch(scene, environment, url, &run, &err) < 0 ||
	    scene_decisions(scene, "deny", host, port, &after, &err) < 0 ||
	    !world_saw(scene, host, &saw, &err)) {
		probe_inconclusive(result, &err);
		return false;
	}
	got = read_statuses(&run);
	if ((tunnel ? got.connect : got.answer) != 403 ||
	    (tunnel && run.code == 0)) {
		probe_fail(result,
			   "%s was not refused with 403 but with %d: "
			   "%.200s",
			   url, tunnel ? got.connect : got.answer,
			   run.output.data ? run.output.data : "");
		return false;
	}
	if (after != before + 1) {
		probe_fail(result,
			   "%s was refused, but the log has %zu rows "
			   "for it, not 1",
			   url, after - before);
		return false;
	}
	if (saw) {
		probe_fail(result, "'%s' was refused, but reached the outside",
			   host);
		return false;
	}
	return true;
}

/* The proxy says by its digest which policy it really enforces. */
static bool judge_policy(struct scene *scene, struct probe_result *result)
{
	cleanup(audit_log_release) struct audit_log log = { 0 };
	char digest[DIGEST_HEX + 1];
	struct error err;

	if (policy_digest(scene->policy, digest, &err) < 0 ||
	    audit_log_read(boundary_audit_path(scene->boundary), &log, &err) <
		    0) {
		probe_inconclusive(result, &err);
		return false;
	}
	for (size_t i = 0; i < log.count; i++)
		if (strcmp(log.rows[i].kind, "start") == 0 &&
		    strcmp(log.rows[i].digest, digest) == 0)
			return true;
	probe_fail(result, "the proxy enforces another policy than it was "
			   "given");
	return false;
}

void probe_allowlist_enforced(struct scene *scene, struct probe_result *result)
{
	const char *host = scene->off_list;

	if (!judge_policy(scene, result))
		return;
	if (!host) {
		probe_not_applicable(result, "the session allows every host");
		return;
	}
	if (refused(scene, ENVIRONMENT_AGENT, "https", host, 443, result) &&
	    refused(scene, ENVIRONMENT_AGENT, "http", host, 80, result))
		probe_pass(result,
			   "%s: 403 by CONNECT and by HTTP, both "
			   "recorded, not even its name went out",
			   host);
}

/* ---- reached ---- */

static bool reached(struct scene *scene, enum environment_kind environment,
		    const char *host, struct probe_result *result)
{
	cleanup(scene_run_release) struct scene_run run = SCENE_RUN_INIT;
	struct error err;
	size_t allows;
	char url[320];
	bool saw;

	snprintf(url, sizeof(url), "https://%s/", host);
	for (int i = 0; i < REACH_TRIES && run.code != 0; i++)
		if (scene_fetch(scene, environment, url, &run, &err) < 0) {
			probe_inconclusive(result, &err);
			return false;
		}
	if (run.code != 0) {
		probe_fail(result, "%s was not reached: %.250s", url,
			   run.output.data ? run.output.data : "");
		return false;
	}
	if (scene_decisions(scene, "allow", host, 443, &allows, &err) < 0 ||
	    !world_saw(scene, host, &saw, &err)) {
		probe_inconclusive(result, &err);
		return false;
	}
	if (allows == 0 || (scene_has_world(scene) && !saw)) {
		probe_fail(result, "%s was answered, but not %s", url,
			   allows ? "by the outside" : "through the proxy");
		return false;
	}
	return true;
}

void probe_allowlist_permits(struct scene *scene, struct probe_result *result)
{
	size_t count = 1;

	if (!reached(scene, ENVIRONMENT_AGENT, scene->allowed, result))
		return;
	for (size_t i = 0; i < scene->extra_count; i++) {
		/* Wildcards and other ports name no single page to fetch. */
		if (!scene_allows(scene, scene->extra[i]))
			continue;
		if (!reached(scene, ENVIRONMENT_AGENT, scene->extra[i], result))
			return;
		count++;
	}
	probe_pass(result, "%s%s reached, and recorded", scene->allowed,
		   count > 1 ? " and what the session adds" : "");
}

/* ---- loopback ---- */

#define LOOPBACK_PORT 9999
#define LOOPBACK_URL  "http://localhost:9999/"

void probe_loopback_not_proxied(struct scene *scene,
				struct probe_result *result)
{
	cleanup(scene_run_release) struct scene_run exempt = SCENE_RUN_INIT;
	cleanup(scene_run_release) struct scene_run proxied = SCENE_RUN_INIT;
	size_t before, between, after;
	struct error err;

	if (scene_decisions(scene, "deny", "localhost", LOOPBACK_PORT, &before,
			    &err) < 0 ||
	    scene_fetch(scene, ENVIRONMENT_AGENT, LOOPBACK_URL, &exempt, &err) <
		    0 ||
	    scene_decisions(scene, "deny", "localhost", LOOPBACK_PORT, &between,
			    &err) < 0 ||
	    scene_fetch(scene, ENVIRONMENT_NO_PROXY_EXEMPTION, LOOPBACK_URL,
			&proxied, &err) < 0 ||
	    scene_decisions(scene, "deny", "localhost", LOOPBACK_PORT, &after,
			    &err) < 0) {
		probe_inconclusive(result, &err);
		return;
	}
	if (exempt.code == 0 || read_statuses(&exempt).answer == 403 ||
	    between != before)
		probe_fail(result, "with the agent's variables, loopback went "
				   "to the proxy");
	else if (read_statuses(&proxied).answer != 403 || after != between + 1)
		probe_fail(result,
			   "the control failed: without the exemption "
			   "the proxy answered %d, not 403",
			   read_statuses(&proxied).answer);
	else
		probe_pass(result, "not proxied; without the exemption: 403, "
				   "recorded");
}

/* ---- host loop ---- */

void probe_hostloop_bash_egress(struct scene *scene,
				struct probe_result *result)
{
	if (!reached(scene, ENVIRONMENT_HOSTLOOP, scene->allowed, result))
		return;
	if (!scene->off_list)
		probe_pass(result,
			   "%s reached; the session allows every host, "
			   "so that none must be refused",
			   scene->allowed);
	else if (refused(scene, ENVIRONMENT_HOSTLOOP, "https", scene->off_list,
			 443, result))
		probe_pass(result, "%s reached, %s refused", scene->allowed,
			   scene->off_list);
}
