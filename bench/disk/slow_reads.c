/*-------------------------------------------------------------------------
 *
 * slow_reads.c
 *		A library to preload: reads of a server take the time of a slower disk.
 *
 * Machines that run benchmarks often have a disk that answers from the
 * memory of their host.  This library makes a process wait as if its files
 * were on a disk that serves a number of reads at the same time, each of
 * which takes a fixed time:
 *
 *		posix_fadvise(A)  posix_fadvise(B)  pread(A)         pread(B)
 *			 |  A: latency ..........................|
 *			 |            |  B: latency .......................|
 *
 * The first request or read of a block waits for the disk, every later one
 * finds it in memory, as in a system's cache that was empty when the process
 * began.  So the real files may be cached.  Not modelled: what the
 * system reads ahead by itself, which is nothing in random reads; that other
 * processes share the disk; writes.
 *
 * LATENCY, in microseconds, and CHANNELS, the number of reads at a time, are
 * the two numbers in the variable SLOW_READS, such as "120 32".  Without
 * it, nothing waits.
 *
 *-------------------------------------------------------------------------
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 8192
#define MAX_CHANNELS 1024
#define SLOTS (1 << 22)			/* a power of 2; a block takes one */
#define SPIN 100000				/* ns that a wait ends by looking at the clock */

typedef struct
{
	uint64_t	file;			/* inode and 1, 0: free */
	uint64_t	block;
	int64_t		arrives;		/* ns */
} Slot;

static Slot slots[SLOTS];
static int	used;
static int64_t channels[MAX_CHANNELS];	/* when each is free, ns */
static int	nchannels;
static int64_t latency;			/* ns; 0: nothing waits */

static ssize_t(*real_pread) (int, void *, size_t, off_t);
static ssize_t(*real_preadv) (int, const struct iovec *, int, off_t);
static int	(*real_fadvise) (int, off_t, off_t, int);

__attribute__((constructor))
static void
begin(void)
{
	const char *disk = getenv("SLOW_READS");
	long		microseconds;

	real_pread = (ssize_t(*) (int, void *, size_t, off_t)) dlsym(RTLD_NEXT, "pread64");
	real_preadv = (ssize_t(*) (int, const struct iovec *, int, off_t)) dlsym(RTLD_NEXT, "preadv64");
	real_fadvise = (int (*) (int, off_t, off_t, int)) dlsym(RTLD_NEXT, "posix_fadvise64");
	if (disk == NULL)
		return;
	if (sscanf(disk, "%ld %d", &microseconds, &nchannels) != 2 || microseconds < 1 || nchannels < 1 || nchannels > MAX_CHANNELS)
	{
		fprintf(stderr, "SLOW_READS is \"%s\", and must be \"LATENCY CHANNELS\": microseconds, and 1 to %d\n", disk, MAX_CHANNELS);
		exit(2);
	}
	latency = microseconds * INT64_C(1000);
	prctl(PR_SET_TIMERSLACK, 1);
}

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Return when a block is in memory.  Ask the disk for it, unless that was done. */
static int64_t
request(uint64_t file, uint64_t block)
{
	uint64_t	at = (file * UINT64_C(0x9e3779b97f4a7c15) + block) * UINT64_C(0xbf58476d1ce4e5b9) >> 20;
	int			first = 0;
	int64_t		start = now();
	Slot	   *slot;

	for (;; at++)
	{
		slot = &slots[at % SLOTS];
		if (slot->file == 0)
			break;
		if (slot->file == file && slot->block == block)
			return slot->arrives;
	}
	if (++used > SLOTS / 4 * 3)
	{
		fprintf(stderr, "slow_reads.c: more blocks than SLOTS\n");
		abort();
	}
	for (int i = 1; i < nchannels; i++)
		if (channels[i] < channels[first])
			first = i;
	if (channels[first] > start)
		start = channels[first];
	channels[first] = start + latency;
	*slot = (Slot)
	{
		file, block, start + latency
	};
	return slot->arrives;
}

/* Ask for the blocks of a part of a file; wait for them, too, or not. */
static void
read_blocks(int fd, off_t offset, off_t length, int wait)
{
	int			error = errno;
	int64_t		last = 0;
	struct stat file;

	/* other files than those of tables are read in other units */
	if (latency == 0 || length < BLOCK || offset % BLOCK != 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
		return;
	for (off_t at = offset; at < offset + length; at += BLOCK)
	{
		int64_t		arrives = request((uint64_t) file.st_ino + 1, at / BLOCK);

		if (arrives > last)
			last = arrives;
	}
	if (wait && last - now() > SPIN)
	{
		struct timespec until = {(last - SPIN) / 1000000000, (last - SPIN) % 1000000000};

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
			;
	}
	while (wait && now() < last)
		;
	errno = error;
}

ssize_t
pread64(int fd, void *to, size_t length, off_t offset)
{
	read_blocks(fd, offset, length, 1);
	return real_pread(fd, to, length, offset);
}

ssize_t
pread(int fd, void *to, size_t length, off_t offset)
{
	return pread64(fd, to, length, offset);
}

ssize_t
preadv64(int fd, const struct iovec *to, int n, off_t offset)
{
	off_t		length = 0;

	for (int i = 0; i < n; i++)
		length += to[i].iov_len;
	read_blocks(fd, offset, length, 1);
	return real_preadv(fd, to, n, offset);
}

ssize_t
preadv(int fd, const struct iovec *to, int n, off_t offset)
{
	return preadv64(fd, to, n, offset);
}

int
posix_fadvise64(int fd, off_t offset, off_t length, int advice)
{
	if (advice == POSIX_FADV_WILLNEED)
		read_blocks(fd, offset, length, 0);
	return real_fadvise(fd, offset, length, advice);
}

int
posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
	return posix_fadvise64(fd, offset, length, advice);
}
