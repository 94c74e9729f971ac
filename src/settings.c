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

bool		spq_enable = true;
int			spq_enable_hashjoin = SPQ_HASHJOIN_ON;
bool		spq_enable_indexjoin = true;
bool		spq_enable_nearest = true;
bool		spq_enable_unique_semijoin = true;
bool		spq_enable_counts = true;
bool		spq_enable_repeated = true;
bool		spq_enable_equivalents = true;
int			spq_sample_rows = 1024;

static const struct config_enum_entry hashjoin_options[] = {
	{"off", SPQ_HASHJOIN_OFF, false},
	{"on", SPQ_HASHJOIN_ON, false},
	{"always", SPQ_HASHJOIN_ALWAYS, false},
	{"false", SPQ_HASHJOIN_OFF, true},
	{"true", SPQ_HASHJOIN_ON, true},
	{"no", SPQ_HASHJOIN_OFF, true},
	{"yes", SPQ_HASHJOIN_ON, true},
	{"0", SPQ_HASHJOIN_OFF, true},
	{"1", SPQ_HASHJOIN_ON, true},
	{NULL, 0, false}
};

/* Define the settings.  Called when the library is loaded. */
void
spq_settings_init(void)
{
	DefineCustomBoolVariable("spqtree.enable",
							 "Enables all planner features of the library.",
							 "If off, plans are those of a session that has not loaded the library.",
							 &spq_enable,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomEnumVariable("spqtree.enable_hashjoin",
							 "Enables the planner's use of spatial hash joins.",
							 "As other hash joins, they are a last resort if enable_hashjoin is off, unless this is \"always\".",
							 &spq_enable_hashjoin,
							 SPQ_HASHJOIN_ON,
							 hashjoin_options,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("spqtree.enable_indexjoin",
							 "Enables the planner's use of joins that read two indexes of spqtree.",
							 "Such a join reads the tables only for columns that the indexes do not have, and for rows that may not be visible.",
							 &spq_enable_indexjoin,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("spqtree.enable_nearest",
							 "Enables the planner's use of nearest rows kept in memory.",
							 "A subquery that finds the rows nearest to each row of another table then reads its table once.",
							 &spq_enable_nearest,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("spqtree.enable_repeated",
							 "Enables the planner's use of tables kept in memory for repeated searches.",
							 "A subquery that finds rows of a table for each row of another then reads its table once.",
							 &spq_enable_repeated,
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
	DefineCustomBoolVariable("spqtree.enable_counts",
							 "Enables the planner's use of spatial joins that count their rows.",
							 "The join then returns counts in place of the rows, which an aggregate above it adds up.",
							 &spq_enable_counts,
							 true,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("spqtree.enable_equivalents",
							 "Replaces functions of other extensions by faster equivalents.",
							 "The descriptor of a type of the extension names the equivalents of its functions.",
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
