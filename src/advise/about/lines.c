/*-------------------------------------------------------------------------
 *
 * lines.c
 *	  The lines about a statement, in the order in which they are found.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "advise/about/lines.h"

/* Add a line, unless it is there. */
void
spq_advise_add(SpqReasons *reasons, Oid relation, char *object, char *finding, char *advice)
{
	SpqAdviseLine *line;
	ListCell   *lc;

	foreach(lc, reasons->lines)
	{
		line = lfirst(lc);
		if (line->relation == relation &&
			(line->object == NULL ? object == NULL :
			 object != NULL && strcmp(line->object, object) == 0 &&
			 strcmp(line->finding, finding) == 0))
			return;
	}
	line = palloc(sizeof(SpqAdviseLine));
	line->relation = relation;
	line->object = object;
	line->finding = finding;
	line->advice = advice;
	reasons->lines = lappend(reasons->lines, line);
}
