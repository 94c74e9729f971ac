/*-------------------------------------------------------------------------
 *
 * stubs.h
 *	  Interface of the stand-ins for server functions to the tests.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_STUBS_H
#define SPQ_TEST_STUBS_H

/*
 * A temporary file, allocated in the current memory context, as in the server.
 */
struct BufFile
{
	char	   *data;
	size_t		size;
	size_t		capacity;
	size_t		position;
};

/* memory, contexts and temporary files in use */
extern long stub_bytes;
extern long stub_chunks;
extern long stub_contexts;
extern long stub_files;

/* highest stub_bytes since a test last set this */
extern long stub_peak_bytes;

/* number of temporary files made so far */
extern long stub_files_made;

/*
 * Memory that forked processes share.  Chunks follow each other until
 * stub_area_begin() is called again.
 */
extern struct dsa_area *stub_area_begin(void);
extern void *stub_area_alloc(struct dsa_area *area, size_t size);
extern long stub_area_chunks(struct dsa_area *area);
extern long stub_area_files(struct dsa_area *area);

#endif							/* SPQ_TEST_STUBS_H */
