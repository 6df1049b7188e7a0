/* SPDX-License-Identifier: GPL-3.0-or-later */
/* COMMAND - the commands of cowork-run. argv[0] is the command's name; the
 * result is the exit status. Each reports its own errors on stderr. */
#ifndef RUNNER_COMMAND_H
#define RUNNER_COMMAND_H

int command_exec(char **argv);
int command_doctor(char **argv);

#endif
