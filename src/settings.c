/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  The settings of the extension (spqtree.*).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/guc.h"

#include "inject.h"
#include "settings.h"

bool		spq_enable_hashjoin = true;
bool		spq_enable_unique_semijoin = true;
bool		spq_enable_equivalents = true;
int			spq_sample_rows = 1024;

/* Define the settings, when the library is loaded. */
void
spq_settings_init(void)
{
	DefineCustomBoolVariable("spqtree.enable_hashjoin",
							 "Enables the planner's use of spatial hash joins.",
							 NULL,
							 &spq_enable_hashjoin,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("spqtree.enable_unique_semijoin",
							 "Enables the planner's use of index scans for the rows of a spatial semi join.",
							 "Each row of the other side searches the index, and rows found more than once are removed.",
							 &spq_enable_unique_semijoin,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("spqtree.enable_equivalents",
							 "Enables calls of faster functions in place of those of other extensions.",
							 "A function f of an extension is replaced by spqtree_f where that exists.",
							 &spq_enable_equivalents,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomIntVariable("spqtree.sample_rows",
							"Sets the number of rows that the planner samples from each table of a spatial condition.",
							"Zero disables sampling.",
							&spq_sample_rows,
							1024, 0, 10000,
							PGC_USERSET,
							GUC_EXPLAIN,
							NULL, NULL, NULL);
	spq_inject_init();
	MarkGUCPrefixReserved("spqtree");
}
