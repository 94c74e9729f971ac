/*-------------------------------------------------------------------------
 *
 * act_as.h
 *	  Acting as another role.
 *
 * Functions of this role may run then, also those that are called while a query is
 * planned: of indexes, conditions, triggers.  What the names in them mean must not
 * depend on the search_path of who happens to call us, or the caller chooses what runs
 * with the rights of the role.  So one does not go without the other: all code that
 * switches the role does it here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ACT_AS_H
#define SPQ_ACT_AS_H

/* Who acted before. */
typedef struct SpqActor
{
	Oid			user;
	int			context;
	int			level;			/* of settings */
} SpqActor;

extern void spq_act_as(Oid role, int context, SpqActor *before);
extern void spq_act_as_before(const SpqActor *before);

#endif							/* SPQ_ACT_AS_H */
