/*-------------------------------------------------------------------------
 *
 * act_as.h
 *	  Switching to another role, with a fixed search_path.
 *
 * Functions of the role may run then: those of conditions and triggers, and
 * those of indexes, even while a query is planned.  The names in them must not
 * depend on the caller's search_path, or the caller would choose what runs
 * with the rights of the role.  So all code that switches the role does it
 * here, which sets search_path, too.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ACT_AS_H
#define SPQ_ACT_AS_H

/* The role, context and settings to return to. */
typedef struct SpqActor
{
	Oid			user;
	int			context;
	int			level;			/* nesting level of settings */
} SpqActor;

extern void spq_act_as(Oid role, int context, SpqActor *before);
extern void spq_act_as_before(const SpqActor *before);

#endif							/* SPQ_ACT_AS_H */
