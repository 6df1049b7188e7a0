/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/identity.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Between the last id of systemd's and the first subordinate ones. */
#define PROXY_ID 77001
#define AGENT_ID 77002

static int find_user(const char *name, uid_t fallback, struct user_ids *out,
		     struct error *err)
{
	const struct passwd *user = getpwnam(name);

	if (user && user->pw_uid == 0)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "user '%s' has id 0; give it another",
				      name);
	if (user) {
		*out = (struct user_ids){ user->pw_uid, user->pw_gid };
		return 0;
	}
	user = getpwuid(fallback);
	if (user)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "id %u belongs to '%s'; create a user "
				      "'%s' for the appliance instead",
				      (unsigned)fallback, user->pw_name, name);
	*out = (struct user_ids){ fallback, fallback };
	return 0;
}

/* Does this user namespace have the id? (user_namespaces(7), uid_map) */
static bool mapped(uid_t uid)
{
	autofile FILE *map = fopen("/proc/self/uid_map", "re");
	unsigned long inside, outside, count;

	while (map &&
	       fscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3)
		if (uid >= inside && uid - inside < count)
			return true;
	return false;
}

/* Is id 0 here the root of the host? Not in a rootless container. */
static bool root_of_host(void)
{
	autofile FILE *map = fopen("/proc/self/uid_map", "re");
	unsigned long inside, outside, count;

	while (map &&
	       fscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3)
		if (inside == 0)
			return outside == 0;
	return true;
}

int identity_find(struct identity *out, struct error *err)
{
	struct user_ids self = { geteuid(), getegid() };

	*out = (struct identity){ .proxy = self, .agent = self };
	if (getuid() != geteuid() || getgid() != getegid())
		return error_kind_set(err, ERROR_BOUNDARY,
				      "must not be installed set-user-id");
	if (self.uid != 0)
		return 0;
	/* Outside, this root is an ordinary user, and has no other ids. */
	if (!root_of_host() && !(mapped(PROXY_ID) && mapped(AGENT_ID)))
		return 0;
	out->from_root = true;
	if (find_user("cowork-proxy", PROXY_ID, &out->proxy, err) < 0 ||
	    find_user("cowork-agent", AGENT_ID, &out->agent, err) < 0)
		return -1;
	if (!mapped(out->proxy.uid) || !mapped(out->agent.uid))
		return error_kind_set(err, ERROR_BOUNDARY,
				      "this user namespace has the host's root "
				      "in it, but not the ids %u and %u that "
				      "root would drop to; run as an ordinary "
				      "user, or outside of it",
				      (unsigned)out->proxy.uid,
				      (unsigned)out->agent.uid);
	if (out->proxy.uid == out->agent.uid)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "users 'cowork-proxy' and 'cowork-agent' "
				      "must have different ids");
	return 0;
}

int identity_become(struct user_ids ids, struct error *err)
{
	if (geteuid() == ids.uid)
		return 0;
	if (setgroups(0, NULL) < 0 ||
	    setresgid(ids.gid, ids.gid, ids.gid) < 0 ||
	    setresuid(ids.uid, ids.uid, ids.uid) < 0) {
		if (errno == EINVAL)
			return error_kind_set(err, ERROR_BOUNDARY,
					      "cannot become user id %u: this "
					      "container does not map it; run "
					      "as an ordinary user instead",
					      (unsigned)ids.uid);
		return error_sys(err, "cannot become user id %u",
				 (unsigned)ids.uid);
	}
	if (setuid(0) == 0)
		bug("still able to become root");
	if (prctl(PR_SET_DUMPABLE, 1) < 0)
		return error_sys(err, "cannot stay traceable");
	return 0;
}
