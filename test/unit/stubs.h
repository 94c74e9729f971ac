/*-------------------------------------------------------------------------
 *
 * stubs.h
 *	  What the tests may ask the stand-ins of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_STUBS_H
#define SPQ_TEST_STUBS_H

/* memory, contexts and temporary files that are in use now */
extern long stub_bytes;
extern long stub_chunks;
extern long stub_contexts;
extern long stub_files;

/* most bytes at any time; the tests set it back */
extern long stub_peak_bytes;

/* temporary files that were ever made */
extern long stub_files_made;

#endif							/* SPQ_TEST_STUBS_H */
