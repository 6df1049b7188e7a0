/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD RECORDER - writes down what reached the pretend world, before it is
 * answered. One JSON object a line, one write(2) a line, so that several
 * readers and a killed writer see whole lines. Whoever asks acts only on true:
 * once a line could not be written, or the file is full, everything is false.
 * A full file ends with {"kind":"overflow"}, so that what is missing shows. */
#ifndef PROBE_WORLD_RECORDER_H
#define PROBE_WORLD_RECORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

#define WORLD_REPORT_MAX (32u << 20) /* bytes in the file, all lines together */
#define WORLD_VALUE_MAX  512         /* longer values are cut */

struct world_recorder;

/*
 * Appends to path, made with mode 0600; NULL: nothing is kept. max_bytes counts
 * what the file holds already.
 */
struct world_recorder *world_recorder_open(const char *path, size_t max_bytes,
					   struct error *err) MUST_CHECK
	NONNULL(3);
void world_recorder_close(struct world_recorder *recorder);

/* Called once, when a line could not be written. */
void world_recorder_on_failure(struct world_recorder *recorder,
			       void (*failed)(void *arg), void *arg)
	NONNULL(1, 2);

/* type: "A", "AAAA", "HTTPS", or "TYPE65280". */
MUST_CHECK bool world_record_dns(struct world_recorder *recorder,
				 struct span name, const char *type)
	NONNULL(1, 3);
/* An accepted connection; to is where the client wanted to go. */
MUST_CHECK bool world_record_tcp(struct world_recorder *recorder,
				 const struct endpoint *to) NONNULL(1, 2);
/* A ClientHello; without a name sni is empty. */
MUST_CHECK bool world_record_tls(struct world_recorder *recorder,
				 struct span sni) NONNULL(1);
MUST_CHECK bool world_record_http(struct world_recorder *recorder,
				  struct span host, struct span method,
				  struct span path, bool tls) NONNULL(1);
MUST_CHECK bool world_record_udp(struct world_recorder *recorder,
				 const struct endpoint *to, size_t size)
	NONNULL(1, 2);

#endif
