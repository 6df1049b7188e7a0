/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without libFuzzer: run the target on each file of its corpus and on every
 * beginning of it. Files and folders may be named; without arguments it is
 * tests/fuzz/corpus/NAME of a program called fuzz_NAME. Speaks TAP. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"

#define SIZE_LIMIT (1u << 20)
#define PREFIX_MAX 4096 /* of longer files only the whole is run */

static int count, failures;

static void run_file(const char *path)
{
	struct error err;
	size_t size;
	autofree char *text = fd_read_file(path, SIZE_LIMIT, &size, &err);

	if (!text) {
		printf("not ok %d - %s: %s\n", ++count, path, err.text);
		failures++;
		return;
	}
	for (size_t n = size <= PREFIX_MAX ? 0 : size; n <= size; n++) {
		/* of exactly its size, so that a sanitizer sees reads behind */
		autofree uint8_t *copy = malloc(n ? n : 1);

		if (!copy)
			bug("no memory");
		memcpy(copy, text, n);
		LLVMFuzzerTestOneInput(copy, n);
	}
	printf("ok %d - %s\n", ++count, path);
}

static int visible(const struct dirent *item)
{
	return item->d_name[0] != '.';
}

static void run_folder(const char *path)
{
	struct dirent **items;
	int n = scandir(path, &items, visible, alphasort);

	if (n < 0) {
		run_file(path);
		return;
	}
	for (int i = 0; i < n; i++) {
		autofree char *file = NULL;

		if (asprintf(&file, "%s/%s", path, items[i]->d_name) < 0)
			bug("no memory");
		run_file(file);
		free(items[i]);
	}
	free(items);
}

static void run_own_corpus(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	const char *srcdir = getenv("srcdir");
	autofree char *path = NULL;

	if (strncmp(name, "fuzz_", 5) == 0)
		name += 5;
	if (asprintf(&path, "%s/tests/fuzz/corpus/%s", srcdir ? srcdir : ".",
		     name) < 0)
		bug("no memory");
	run_folder(path);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		run_folder(argv[i]);
	if (argc < 2)
		run_own_corpus(argv[0]);
	printf("1..%d\n", count);
	return failures || count == 0;
}
