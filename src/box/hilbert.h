/*-------------------------------------------------------------------------
 *
 * hilbert.h
 *	  Positions on the Hilbert curve: places that follow each other on it are
 *	  neighbors.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_HILBERT_H
#define SPQ_BOX_HILBERT_H

#include "box/lanes.h"

/* Bits of a coordinate in the plane, and in space. */
#define SPQ_HILBERT_PLANE_BITS	32
#define SPQ_HILBERT_SPACE_BITS	21

/* Return the position of two coordinates, or of three. */
extern uint64 spq_hilbert_plane(const uint32 *x);
extern uint64 spq_hilbert_space(const uint32 *x);

/* Return the upper halves of the positions in the plane of four pairs at once. */
extern SpqWords spq_hilbert_planes(SpqWords x, SpqWords y);

#endif							/* SPQ_BOX_HILBERT_H */
