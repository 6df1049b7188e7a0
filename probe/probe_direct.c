/* SPDX-License-Identifier: GPL-3.0-or-later */
/* direct-egress-denied: attempts that know no proxy. A refused connect proves
 * nothing by itself (a namespace without routes refuses too), so each attempt
 * is held to the rules read back, their counters, and the world's sinks. */
#include "config.h"

#include "probe/probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "probe/act.h"

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

/* Connections and datagrams that reached the world; 0 without one. */
static int count_arrivals(struct scene *scene, size_t *count, struct error *err)
{
	cleanup(world_report_release) struct world_report report = { 0 };

	*count = 0;
	if (!scene_has_world(scene))
		return 0;
	if (scene_world_report(scene, &report, err) < 0)
		return -1;
	*count = world_report_count(&report, WORLD_TCP) +
		 world_report_count(&report, WORLD_UDP) +
		 world_report_count(&report, WORLD_DNS);
	return 0;
}

static int count_refused(struct scene *scene, uint64_t *packets,
			 struct error *err)
{
	struct fw_counters counters;

	if (boundary_counters(scene->boundary, &counters, err) < 0)
		return -1;
	*packets = fw_counters_refused(&counters);
	return 0;
}

/* The world writes when it gets round to it: wait until that many arrived. */
static int await_arrivals(struct scene *scene, size_t wanted, size_t *count,
			  struct error *err)
{
	uint64_t deadline = clock_monotonic_ms() + ACT_WAIT_MS;

	do {
		if (count_arrivals(scene, count, err) < 0)
			return -1;
		if (*count >= wanted)
			return 0;
		usleep(1000);
	} while (clock_monotonic_ms() < deadline);
	return 0;
}

/*
 * The same acts in the world itself reach its sinks: each of them, and, because
 * what had come before them is written before them, nothing else did.
 */
static bool judge_sinks(struct scene *scene, size_t before,
			struct probe_result *result)
{
	cleanup(scene_run_release) struct scene_run run = SCENE_RUN_INIT;
	size_t wanted = before + act_count(world_acts), arrived;
	struct error err;

	if (!scene_has_world(scene))
		return true;
	if (scene_act_outside(scene, world_acts, &run, &err) < 0 ||
	    await_arrivals(scene, wanted, &arrived, &err) < 0) {
		probe_inconclusive(result, &err);
		return false;
	}
	if (arrived == wanted)
		return true;
	if (arrived > wanted)
		probe_fail(result, "%zu attempts reached the outside",
			   arrived - wanted);
	else
		probe_fail(result,
			   "the control failed: made outside, %zu of "
			   "%zu attempts did not arrive",
			   wanted - arrived, act_count(world_acts));
	return false;
}

static bool judge_counters(uint64_t packets, size_t acts,
			   struct probe_result *result)
{
	if (packets >= acts)
		return true;
	probe_fail(result,
		   "not enforced: %zu attempts, but the rules refused "
		   "only %" PRIu64 " packets",
		   acts, packets);
	return false;
}

void probe_direct_egress_denied(struct scene *scene,
				struct probe_result *result)
{
	cleanup(scene_run_release) struct scene_run first = SCENE_RUN_INIT;
	cleanup(scene_run_release) struct scene_run second = SCENE_RUN_INIT;
	size_t acts = act_count(world_acts) + act_count(other_acts), arrivals;
	uint64_t before, after;
	struct error err;

	if (boundary_verify_rules(scene->boundary, &err) < 0) {
		probe_fail(result, "not enforced: %s", err.text);
		return;
	}
	if (count_arrivals(scene, &arrivals, &err) < 0 ||
	    count_refused(scene, &before, &err) < 0 ||
	    scene_act(scene, NULL, world_acts, &first, &err) < 0 ||
	    scene_act(scene, NULL, other_acts, &second, &err) < 0 ||
	    count_refused(scene, &after, &err) < 0) {
		probe_inconclusive(result, &err);
		return;
	}
	if (all_refused(&first, act_count(world_acts), result) &&
	    all_refused(&second, act_count(other_acts), result) &&
	    judge_counters(after - before, acts, result) &&
	    judge_sinks(scene, arrivals, result))
		probe_pass(result,
			   "%zu attempts by TCP and UDP, IPv4 and "
			   "IPv6, refused at once and counted",
			   acts);
}
