/*-------------------------------------------------------------------------
 *
 * names_of_0_2.c
 *	  Support functions under the names that they had in version 0.2.0.
 *
 * Version 0.2.0 of the extension's catalog names them so.  Without them a server
 * that has the new library could not use indexes of geometry and geography until
 * ALTER EXTENSION UPDATE, and pg_upgrade could not restore that catalog.
 *
 * Each does what the function of the new name does.  Code that compares a
 * function with another one has to translate it first.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/extension_class/extension_class.h"

/* Define the function of an old name. */
#define SAME_FUNCTION(old, new) \
	PG_FUNCTION_INFO_V1(old); \
	extern Datum new(PG_FUNCTION_ARGS); \
	Datum \
	old(PG_FUNCTION_ARGS) \
	{ \
		return new(fcinfo); \
	} \
	StaticAssertDecl(true, "so that a semicolon may follow")

SAME_FUNCTION(spq_rtree_foreign_ends, spq_rtree_extension_ends);
SAME_FUNCTION(spq_rtree_foreign_ends3, spq_rtree_extension_ends3);
SAME_FUNCTION(spq_rtree_foreign_condition, spq_rtree_extension_condition);
SAME_FUNCTION(spq_rtree_foreign_condition3, spq_rtree_extension_condition3);
SAME_FUNCTION(spq_rtree_foreign_exact_condition, spq_rtree_extension_exact_condition);
SAME_FUNCTION(spq_rtree_foreign_order, spq_rtree_extension_order);
SAME_FUNCTION(spq_rtree_foreign_order3, spq_rtree_extension_order3);
SAME_FUNCTION(spq_rtree_foreign_earth_order, spq_rtree_extension_earth_order);

PGFunction
spq_rtree_extension_renamed(PGFunction function)
{
	if (function == spq_rtree_foreign_ends)
		return spq_rtree_extension_ends;
	if (function == spq_rtree_foreign_ends3)
		return spq_rtree_extension_ends3;
	if (function == spq_rtree_foreign_condition)
		return spq_rtree_extension_condition;
	if (function == spq_rtree_foreign_condition3)
		return spq_rtree_extension_condition3;
	if (function == spq_rtree_foreign_exact_condition)
		return spq_rtree_extension_exact_condition;
	return function;
}
