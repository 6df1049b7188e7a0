/* SPDX-License-Identifier: GPL-3.0-or-later */
/* direct-egress-denied: attempts that know no proxy. A refused connect proves
 * nothing by itself (a namespace without routes refuses too), so each attempt
 * is held to the rules read back, their counters, and the world's sinks. */
#include "config.h"

#include "probe/probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/*
 * The world's web addresses, where the same acts succeed as a control; then
 * places that an escape would look for.
 */
static const char *const world_acts[] = {
	"tcp", "192.0.2.80",   "80",   "tcp", "192.0.2.80",   "443",
	"tcp", "192.0.2.80",   "22",   "udp", "192.0.2.80",   "443",
	"udp", "192.0.2.80",   "9999", "tcp", "2001:db8::80", "443",
	"udp", "2001:db8::80", "443",  NULL,
};

static const char *const other_acts[] = {
	"tcp",
	"1.1.1.1",
	"443",
	"tcp",
	"8.8.8.8",
	"53",
	"udp",
	"8.8.8.8",
	"53",
	"tcp",
	"169.254.169.254",
	"80",
	"tcp",
	"10.0.0.1",
	"80",
	"tcp",
	"172.17.0.1",
	"2375",
	"tcp",
	"100.64.0.1",
	"22",
	"tcp",
	"2606:4700::1111",
	"443",
	"udp",
	"2001:4860:4860::8888",
	"53",
	"tcp",
	"fd00:ec2::254",
	"80",
	NULL,
};

/* How many acts there are: each of these takes three words. */
static size_t act_count(const char *const *acts)
{
	size_t n = 0;

	while (acts[n])
		n++;
	return n / 3;
}

static size_t count_word(const char *text, const char *word)
{
	size_t n = 0;

	for (; text && (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

/* Every act refused at once: none reached, sent or hung. */
static bool all_refused(const struct scene_run *run, size_t acts,
			struct probe_result *result)
{
	const char *text = run->output.data ? run->output.data : "";
	size_t refused = count_word(text, " refused ");

	if (refused == acts)
		return true;
	probe_fail(result, "%zu of %zu attempts were refused: %.250s", refused,
		   acts, text);
	return false;
}

struct evidence {
	uint64_t refused;  /* packets, by all rules that refuse */
	size_t world_rows; /* of all kinds */
};

static int look(struct scene *scene, struct evidence *out, struct error *err)
{
	cleanup(world_report_release) struct world_report report = { 0 };
	struct fw_counters counters;

	*out = (struct evidence){ 0 };
	if (boundary_counters(scene->boundary, &counters, err) < 0)
		return -1;
	out->refused = fw_counters_refused(&counters);
	if (!scene_has_world(scene))
		return 0;
	if (scene_world_report(scene, &report, err) < 0)
		return -1;
	out->world_rows = report.count;
	return 0;
}

/* What the firewall and the world say about attempts that were all refused. */
static bool judge_evidence(const struct evidence *before,
			   const struct evidence *after, size_t acts,
			   struct probe_result *result)
{
	if (after->refused - before->refused < acts) {
		probe_fail(result,
			   "not enforced: %zu attempts, but the rules "
			   "refused only %" PRIu64 " packets",
			   acts, after->refused - before->refused);
		return false;
	}
	if (after->world_rows != before->world_rows) {
		probe_fail(result, "%zu things reached the outside",
			   after->world_rows - before->world_rows);
		return false;
	}
	return true;
}

/* The same acts in the world itself reach its sinks. */
static bool judge_control(struct scene *scene, struct probe_result *result)
{
	cleanup(world_report_release) struct world_report report = { 0 };
	cleanup(scene_run_release) struct scene_run run = SCENE_RUN_INIT;
	struct error err;
	const char *text;
	size_t done;

	if (!scene_has_world(scene))
		return true;
	if (scene_act_outside(scene, world_acts, &run, &err) < 0 ||
	    scene_world_report(scene, &report, &err) < 0) {
		probe_inconclusive(result, &err);
		return false;
	}
	text = run.output.data ? run.output.data : "";
	done = count_word(text, " reached\n") + count_word(text, " sent\n");
	if (done == act_count(world_acts) &&
	    world_report_count(&report, WORLD_TCP) > 0)
		return true;
	probe_fail(result,
		   "the control failed: outside, only %zu of %zu "
		   "attempts succeed",
		   done, act_count(world_acts));
	return false;
}

void probe_direct_egress_denied(struct scene *scene,
				struct probe_result *result)
{
	cleanup(scene_run_release) struct scene_run first = SCENE_RUN_INIT;
	cleanup(scene_run_release) struct scene_run second = SCENE_RUN_INIT;
	size_t acts = act_count(world_acts) + act_count(other_acts);
	struct evidence before, after;
	struct error err;

	if (boundary_verify_rules(scene->boundary, &err) < 0) {
		probe_fail(result, "not enforced: %s", err.text);
		return;
	}
	if (look(scene, &before, &err) < 0 ||
	    scene_act(scene, NULL, world_acts, &first, &err) < 0 ||
	    scene_act(scene, NULL, other_acts, &second, &err) < 0 ||
	    look(scene, &after, &err) < 0) {
		probe_inconclusive(result, &err);
		return;
	}
	if (all_refused(&first, act_count(world_acts), result) &&
	    all_refused(&second, act_count(other_acts), result) &&
	    judge_evidence(&before, &after, acts, result) &&
	    judge_control(scene, result))
		probe_pass(result,
			   "%zu attempts by TCP and UDP, IPv4 and "
			   "IPv6, refused at once and counted",
			   acts);
}
