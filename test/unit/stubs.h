/*-------------------------------------------------------------------------
 *
 * stubs.h
 *	  What the tests may ask the stand-ins of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_STUBS_H
#define SPQ_TEST_STUBS_H

/* A temporary file.  As in the server, this is in the context that was current. */
struct BufFile
{
	char	   *data;
	size_t		size;
	size_t		capacity;
	size_t		position;
};

/* memory, contexts and temporary files that are in use now */
extern long stub_bytes;
extern long stub_chunks;
extern long stub_contexts;
extern long stub_files;

/* most bytes at any time; the tests set it back */
extern long stub_peak_bytes;

/* temporary files that were ever made */
extern long stub_files_made;

/*
 * Memory that forked processes share, and what they have in it: one after the
 * other, until it is begun anew.
 */
extern struct dsa_area *stub_area_begin(void);
extern void *stub_area_alloc(struct dsa_area *area, size_t size);
extern long stub_area_chunks(struct dsa_area *area);
extern long stub_area_files(struct dsa_area *area);

#endif							/* SPQ_TEST_STUBS_H */
