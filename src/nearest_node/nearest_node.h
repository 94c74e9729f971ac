/*-------------------------------------------------------------------------
 *
 * nearest_node.h
 *	  Nearest rows in plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_NEAREST_NODE_H
#define SPQ_NEAREST_NODE_NEAREST_NODE_H

extern void spq_nearest_node_init(void);

#endif							/* SPQ_NEAREST_NODE_NEAREST_NODE_H */
