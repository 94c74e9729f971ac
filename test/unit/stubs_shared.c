/*-------------------------------------------------------------------------
 *
 * stubs_shared.c
 *	  Stand-ins for the server functions that share data between processes:
 *	  dynamic shared memory, barriers, shared files.
 *
 * A test forks its processes, which share a mapping made before the fork.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>

#include "storage/barrier.h"
#include "storage/buffile.h"
#include "storage/sharedfileset.h"
#include "utils/dsa.h"

#include "stubs.h"

#undef printf
#undef fprintf
#undef snprintf

#define AREA_SIZE	((size_t) 1 << 30)
#define MAX_FILES	64

typedef struct SharedFile
{
	char		name[64];
	size_t		size;
	char	   *data;			/* at the same address in each process */
} SharedFile;

struct dsa_area
{
	volatile slock_t lock;
	size_t		used;
	long		chunks;
	int			nfiles;
	SharedFile	file[MAX_FILES];
};

static dsa_area *area = NULL;
static SharedFile *own_file = NULL; /* a process writes at most one */

static void
lock(volatile slock_t *mutex)
{
	while (__sync_lock_test_and_set(mutex, 1))
		sched_yield();
}

static void
unlock(volatile slock_t *mutex)
{
	__sync_lock_release(mutex);
}

/* Begin an empty area. */
dsa_area *
stub_area_begin(void)
{
	if (area != NULL)
		munmap(area, AREA_SIZE);
	area = mmap(NULL, AREA_SIZE, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED)
	{
		perror("mmap");
		abort();
	}
	area->used = MAXALIGN(sizeof(dsa_area));
	return area;
}

void *
stub_area_alloc(dsa_area *the_area, size_t size)
{
	void	   *result;

	lock(&the_area->lock);
	result = (char *) the_area + the_area->used;
	the_area->used += MAXALIGN(size);
	if (the_area->used > AREA_SIZE)
	{
		fprintf(stderr, "the area of the test is too small\n");
		abort();
	}
	unlock(&the_area->lock);
	return result;
}

long
stub_area_chunks(dsa_area *the_area)
{
	return the_area->chunks;
}

long
stub_area_files(dsa_area *the_area)
{
	return the_area->nfiles;
}

/*
 * Dynamic shared memory.  A pointer is an offset, not an address.  After each
 * chunk follows its size, which is checked when the chunk is freed.
 */

dsa_pointer
dsa_allocate_extended(dsa_area *the_area, size_t size, int flags)
{
	size_t	   *chunk = stub_area_alloc(the_area, MAXALIGN(size) + 2 * sizeof(size_t));

	chunk[0] = size;
	memset(chunk + 1, 0x5a, size);
	chunk[1 + MAXALIGN(size) / sizeof(size_t)] = size;
	lock(&the_area->lock);
	the_area->chunks++;
	unlock(&the_area->lock);
	return (char *) (chunk + 1) - (char *) the_area;
}

void
dsa_free(dsa_area *the_area, dsa_pointer pointer)
{
	size_t	   *chunk = (size_t *) ((char *) the_area + pointer) - 1;

	if (chunk[1 + MAXALIGN(chunk[0]) / sizeof(size_t)] != chunk[0])
	{
		fprintf(stderr, "shared memory: written beyond %zu bytes, or freed twice\n",
				chunk[0]);
		abort();
	}
	memset(chunk, 0x5a, chunk[0] + sizeof(size_t));
	lock(&the_area->lock);
	the_area->chunks--;
	unlock(&the_area->lock);
}

void *
dsa_get_address(dsa_area *the_area, dsa_pointer pointer)
{
	return (char *) the_area + pointer;
}

/*
 * Barriers, with the semantics of the server's
 */

void
BarrierInit(Barrier *barrier, int participants)
{
	memset(barrier, 0, sizeof(Barrier));
	barrier->participants = participants;
}

int
BarrierAttach(Barrier *barrier)
{
	int			phase;

	lock(&barrier->mutex);
	barrier->participants++;
	phase = barrier->phase;
	unlock(&barrier->mutex);
	return phase;
}

bool
BarrierArriveAndWait(Barrier *barrier, uint32 wait_event_info)
{
	int			start;
	bool		elected = false;

	lock(&barrier->mutex);
	start = barrier->phase;
	if (++barrier->arrived == barrier->participants)
	{
		barrier->arrived = 0;
		barrier->phase++;
	}
	for (;;)
	{
		if (barrier->phase != start)
			break;
		unlock(&barrier->mutex);
		sched_yield();
		lock(&barrier->mutex);
	}
	if (barrier->elected != barrier->phase)
	{
		barrier->elected = barrier->phase;
		elected = true;
	}
	unlock(&barrier->mutex);
	return elected;
}

bool
BarrierDetach(Barrier *barrier)
{
	bool		last;

	lock(&barrier->mutex);
	barrier->participants--;
	if (barrier->participants > 0 && barrier->arrived == barrier->participants)
	{
		barrier->arrived = 0;
		barrier->phase++;
	}
	last = barrier->participants == 0;
	unlock(&barrier->mutex);
	return last;
}

int
BarrierPhase(Barrier *barrier)
{
	return barrier->phase;
}

/*
 * Files, private until they are exported
 */

dsm_handle
dsm_segment_handle(dsm_segment *seg)
{
	return 4711;
}

dsm_segment *
dsm_find_mapping(dsm_handle handle)
{
	return handle == 4711 ? (dsm_segment *) area : NULL;
}

void
SharedFileSetInit(SharedFileSet *fileset, dsm_segment *seg)
{
}

void
SharedFileSetAttach(SharedFileSet *fileset, dsm_segment *seg)
{
	if (seg != (dsm_segment *) area)
		abort();
}

void
SharedFileSetDeleteAll(SharedFileSet *fileset)
{
	area->nfiles = 0;
}

BufFile *
BufFileCreateFileSet(FileSet *fileset, const char *name)
{
	SharedFile *file;

	lock(&area->lock);
	for (int i = 0; i < area->nfiles; i++)
	{
		if (strcmp(area->file[i].name, name) == 0)
			abort();
	}
	file = &area->file[area->nfiles++];
	snprintf(file->name, sizeof(file->name), "%s", name);
	file->data = NULL;
	unlock(&area->lock);
	own_file = file;
	return BufFileCreateTemp(false);
}

void
BufFileExportFileSet(BufFile *buffile)
{
	char	   *copy = stub_area_alloc(area, buffile->size);

	memcpy(copy, buffile->data, buffile->size);
	own_file->size = buffile->size;
	own_file->data = copy;
}

BufFile *
BufFileOpenFileSet(FileSet *fileset, const char *name, int mode, bool missing_ok)
{
	BufFile    *result;

	for (int i = 0; i < area->nfiles; i++)
	{
		SharedFile *file = &area->file[i];

		if (strcmp(file->name, name) != 0)
			continue;
		if (file->data == NULL || mode != O_RDONLY)
			abort();
		result = BufFileCreateTemp(false);
		result->data = malloc(file->size);
		memcpy(result->data, file->data, file->size);
		result->size = result->capacity = file->size;
		return result;
	}
	fprintf(stderr, "no file %s\n", name);
	abort();
}
