/*-------------------------------------------------------------------------
 *
 * act_as.c
 *	  Switching to another role, with a fixed search_path.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/guc.h"

#include "act_as.h"

/*
 * Act as a role, with flags added to the security context, and set
 * search_path, until spq_act_as_before().  A transaction or subtransaction
 * that fails undoes both.
 */
void
spq_act_as(Oid role, int context, SpqActor *before)
{
	GetUserIdAndSecContext(&before->user, &before->context);
	SetUserIdAndSecContext(role, before->context | context);
	before->level = NewGUCNestLevel();
	set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
					  GUC_ACTION_SAVE, true, 0, false);
}

/* Act as before, and undo all settings made since. */
void
spq_act_as_before(const SpqActor *before)
{
	AtEOXact_GUC(false, before->level);
	SetUserIdAndSecContext(before->user, before->context);
}
