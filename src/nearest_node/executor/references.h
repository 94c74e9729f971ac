/*-------------------------------------------------------------------------
 *
 * references.h
 *	  References to the scan tuple, as references to a row of a child.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_REFERENCES_H
#define SPQ_NEAREST_NODE_EXECUTOR_REFERENCES_H

#include "nodes/primnodes.h"

/* Turn references to the scan tuple into references to the same columns of a child's row. */
extern Node *spq_nearest_child_references(Node *expr);

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_REFERENCES_H */
