/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LOCKDOWN - system calls that sealed processes do not get.
 * Filters for seccomp(2), made with libseccomp. A call that a process may well
 * try is answered with an error it understands; nothing here kills, except
 * calls of a foreign architecture (also x32), which have no honest use. */
#ifndef BASE_LOCKDOWN_H
#define BASE_LOCKDOWN_H

#include "base/compiler.h"
#include "base/error.h"

/*
 * The agent's filter as a descriptor of BPF code, for a launcher to load:
 *  - sockets only of UNIX, INET, INET6 and NETLINK_ROUTE, else EAFNOSUPPORT;
 *  - io_uring_* ENOSYS: it could make sockets past this filter;
 *  - ioctl TIOCSTI and TIOCLINUX EPERM, whatever the upper half of the number
 *    (CVE-2019-10063): they type into a terminal;
 *  - new user namespaces EPERM (clone, unshare), setns EPERM; clone3 ENOSYS,
 *    because its flags cannot be read from a filter and libc falls back;
 *  - set-user-id and set-group-id bits EPERM, however they are asked for: in a
 *    folder of the caller's they would outlive the run; openat2 and fchmodat2
 *    ENOSYS, because libc falls back and their modes could not be read;
 *  - pidfd_getfd EPERM: descriptors of another process;
 *  - kernel surface that no agent needs EPERM: bpf, keyctl, perf_event_open,
 *    userfaultfd, mounts, modules, kexec, reboot, swap, clocks, quotas.
 */
int lockdown_agent_filter(struct error *err) MUST_CHECK NONNULL(1);

#endif
