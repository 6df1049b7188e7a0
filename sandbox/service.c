/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/service.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

static bool complete(const char *word, size_t used, enum service_ready says)
{
	return used > 0 &&
	       (says == SERVICE_READY_BYTE || word[used - 1] == '\n');
}

static int read_word(const struct service *service, int fd,
		     enum service_ready says, char word[SERVICE_WORD_MAX],
		     struct error *err)
{
	uint64_t deadline = clock_monotonic_ms() + SERVICE_READY_MS;
	size_t used = 0;

	for (;;) {
		struct pollfd fds[] = { { fd, POLLIN, 0 } };
		uint64_t now = clock_monotonic_ms();
		ssize_t n;

		if (now >= deadline || poll(fds, 1, (int)(deadline - now)) == 0)
			return error_kind_set(err, ERROR_BOUNDARY,
					      "%s was not ready within %d ms",
					      service->name, SERVICE_READY_MS);
		n = read(fd, word + used, SERVICE_WORD_MAX - 1 - used);
		if (n < 0 && errno != EINTR)
			return error_sys(err, "cannot hear from %s",
					 service->name);
		if (n < 0)
			continue;
		used += (size_t)n;
		word[used] = '\0';
		if (complete(word, used, says))
			return 0;
		if (n == 0 || used == SERVICE_WORD_MAX - 1)
			return error_kind_set(err, ERROR_BOUNDARY,
					      "%s ended before it was ready "
					      "(its message is above)",
					      service->name);
	}
}

void service_kill(struct service *service)
{
	if (service->pid <= 0)
		return;
	kill(service->pid, SIGKILL);
	spawn_wait(service->pid);
	fd_close(&service->pid_fd);
	fd_close(&service->lifetime);
	service->pid = -1;
}

static int start(struct spawn *spawn, struct service *out, struct error *err)
{
	out->pid = spawn_start(spawn, err);
	if (out->pid < 0)
		return -1;
	out->pid_fd = pidfd_open(out->pid, 0);
	if (out->pid_fd >= 0)
		return 0;
	error_sys(err, "cannot watch %s", out->name);
	service_kill(out);
	return -1;
}

int service_start(const char *name, struct spawn *spawn, int lifetime_number,
		  int ready_number, enum service_ready says,
		  char word[SERVICE_WORD_MAX], struct service *out,
		  struct error *err)
{
	int lifetime[2], ready[2], result;

	*out = SERVICE_INIT;
	out->name = name;
	if (pipe2(lifetime, O_CLOEXEC) < 0)
		return error_sys(err, "cannot make a pipe");
	if (pipe2(ready, O_CLOEXEC) < 0) {
		close(lifetime[0]);
		close(lifetime[1]);
		return error_sys(err, "cannot make a pipe");
	}
	spawn->fds[spawn->fd_count++] =
		(struct spawn_fd){ lifetime[0], lifetime_number };
	spawn->fds[spawn->fd_count++] =
		(struct spawn_fd){ ready[1], ready_number };
	result = start(spawn, out, err);
	close(lifetime[0]);
	close(ready[1]);
	out->lifetime = lifetime[1];
	if (result == 0) {
		result = read_word(out, ready[0], says, word, err);
		if (result < 0)
			service_kill(out);
	}
	close(ready[0]);
	if (result < 0)
		fd_close(&out->lifetime);
	return result;
}

bool service_ended(const struct service *service)
{
	struct pollfd fd = { service->pid_fd, POLLIN, 0 };

	return service->pid > 0 && poll(&fd, 1, 0) > 0;
}

int service_stop(struct service *service, struct error *err)
{
	struct pollfd fd = { service->pid_fd, POLLIN, 0 };
	bool forced, early = service_ended(service);
	char how[80];
	int status;

	if (service->pid <= 0)
		return 0;
	fd_close(&service->lifetime);
	forced = poll(&fd, 1, SERVICE_STOP_MS) <= 0;
	if (forced)
		kill(service->pid, SIGKILL);
	status = spawn_wait(service->pid);
	fd_close(&service->pid_fd);
	service->pid = -1;
	if (!early && !forced && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	spawn_describe(status, how, sizeof(how));
	if (forced)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "%s did not end within %d ms",
				      service->name, SERVICE_STOP_MS);
	return error_kind_set(err, ERROR_BOUNDARY, "%s %s%s", service->name,
			      how, early ? " during the run" : "");
}
