/*-------------------------------------------------------------------------
 *
 * stubs.c
 *	  What the tested code would call in the server.  Nothing may get there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <stdio.h>

/* the C library's, not the server's own */
#undef printf
#undef fprintf
#undef snprintf

bool
errstart(int elevel, const char *domain)
{
	fprintf(stderr, "the code raised an error\n");
	abort();
}

bool
errstart_cold(int elevel, const char *domain)
{
	return errstart(elevel, domain);
}

int
errmsg_internal(const char *fmt,...)
{
	return 0;
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
}

void
ExceptionalCondition(const char *conditionName,
#if PG_VERSION_NUM < 160000
					 const char *errorType,
#endif
					 const char *fileName, int lineNumber)
{
	fprintf(stderr, "%s:%d: failed assertion %s\n", fileName, lineNumber,
			conditionName);
	abort();
}
