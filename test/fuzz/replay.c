/*-------------------------------------------------------------------------
 *
 * replay.c
 *	  Runs a fuzz target on stored inputs, without the fuzzer.
 *
 *		replay_NAME FILE				runs all inputs of a corpus
 *		replay_NAME --unpack FILE DIR	writes them to files, for the fuzzer
 *		replay_NAME --pack FILE...		prints the fuzzer's files as lines
 *
 * A corpus is one file with one input per line, in hexadecimal, instead of
 * hundreds of small files.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

#define MAX_BYTES 4096

static FILE *
open_or_die(const char *name, const char *mode)
{
	FILE	   *file = fopen(name, mode);

	if (file == NULL)
	{
		perror(name);
		exit(1);
	}
	return file;
}

/* Read the next input.  Return false at the end of the file. */
static bool
read_input(FILE *file, uint8 *data, size_t *size)
{
	char		line[2 * MAX_BYTES + 2];
	unsigned	byte;

	if (fgets(line, sizeof(line), file) == NULL)
		return false;
	*size = 0;
	while (sscanf(line + 2 * *size, "%2x", &byte) == 1)
		data[(*size)++] = (uint8) byte;
	return true;
}

static int
pack(int n, char **names)
{
	for (int i = 0; i < n; i++)
	{
		FILE	   *file = open_or_die(names[i], "rb");
		int			c;

		for (int size = 0; size < MAX_BYTES && (c = getc(file)) != EOF; size++)
			printf("%02x", (unsigned) c);
		printf("\n");
		fclose(file);
	}
	return 0;
}

static int
unpack(FILE *corpus, const char *directory)
{
	static uint8 data[MAX_BYTES + 1];
	size_t		size;

	for (int n = 0; read_input(corpus, data, &size); n++)
	{
		char		name[1024];
		FILE	   *file;

		snprintf(name, sizeof(name), "%s/%05d", directory, n);
		file = open_or_die(name, "wb");
		fwrite(data, 1, size, file);
		fclose(file);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	const char *name = strstr(argv[0], "replay_");
	static uint8 data[MAX_BYTES + 1];
	size_t		size;
	FILE	   *corpus;
	int			inputs = 0;

	if (argc > 1 && strcmp(argv[1], "--pack") == 0)
		return pack(argc - 2, argv + 2);
	if (argc == 4 && strcmp(argv[1], "--unpack") == 0)
		return unpack(open_or_die(argv[2], "r"), argv[3]);
	if (argc != 2)
	{
		fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
		return 1;
	}

	/* a failure aborts */
	setvbuf(stdout, NULL, _IOLBF, 0);
	corpus = open_or_die(argv[1], "r");
	while (read_input(corpus, data, &size))
	{
		/*
		 * its own chunk, so that AddressSanitizer reports reads beyond its
		 * end
		 */
		uint8	   *copy = malloc(size);

		memcpy(copy, data, size);
		(void) LLVMFuzzerTestOneInput(copy, size);
		free(copy);
		inputs++;
	}
	fclose(corpus);
	printf("%s 1 - inputs that the fuzzer of \"%s\" found (%d inputs)\n",
		   inputs > 0 ? "ok" : "not ok", name ? name + strlen("replay_") : argv[0], inputs);
	return inputs == 0;
}
