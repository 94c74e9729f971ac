/*-------------------------------------------------------------------------
 *
 * type.h
 *	  What is known about a type with extent: one constant for each type.
 *
 * The access method, joins, nearest joins, estimates and watches know a type
 * only by its SpqType.  Each type has a file of its own with that constant:
 * how a value yields its box, what an operator implies for the boxes of its
 * arguments, and whatever else is true of this type alone.
 *
 *		sphere3_type.c		SpqType spq_type_sphere3
 *								box()		   value -> 6 numbers
 *								operators	   box3 && sphere3: boxes overlap
 *								meets(), holds()
 *
 * An operator of two types is in the file of one of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_TYPE_H
#define SPQ_TYPES_TYPE_H

#include "fmgr.h"
#include "utils/geo_decls.h"

#include "box/line.h"
#include "box/relation.h"

typedef struct SpqType SpqType;

/* The numbers of a box of three axes: all high ends, then all low ends. */
#define SPQ_TYPE_NUMBERS 6

/* How to compute the boxes of many values (value_box.h). */
typedef struct SpqTypeBoxOf
{
	const SpqType *type;
	bool		exact;			/* the relation of the boxes decides, not the
								 * operator */
	bool		grows;			/* the box is made safe (value_box.c) */
	FmgrInfo	function;
	Oid			collation;
	Oid			oid;			/* of a type of another extension */
} SpqTypeBoxOf;

/*
 * A function: of PostgreSQL, by its OID, or of this library, by its symbol.
 * The end of a list has neither.
 */
typedef struct SpqTypeFunction
{
	Oid			oid;
	const char *symbol;
} SpqTypeFunction;

/* The fraction of an operator that is equivalent to its relation. */
#define SPQ_TYPE_EXACT	0

/*
 * The same of one that is equivalent to its relation and to the boxes not being
 * the same
 */
#define SPQ_TYPE_PROPER	(-1)

/*
 * An operator (rows.h).  If it is true, then the boxes of its arguments are in
 * the relation.  The end of a list has no type and no strategy.
 *
 * An operator of a type of another extension is known by its strategy number in
 * the type's default class of the access method, which also tells the types of
 * its arguments.  All others are known by their function.
 */
typedef struct SpqTypeOperator
{
	SpqTypeFunction function;
	SpqRelation relation;
	double		fraction;		/* of the pairs in the relation, those for
								 * which it is true; or SPQ_TYPE_EXACT, or
								 * SPQ_TYPE_PROPER */
	const SpqType *left,
			   *right;
	int			strategy;		/* in the class of the left type; or 0 */
} SpqTypeOperator;

/*
 * A function of another extension that takes values of the type, or makes one,
 * and functions that stand for it.  The function belongs to the extension of
 * the type, or to that of the type's class, or "extension"; the others, of which each may be
 * NULL, to that of the class, in any schema.  The end of a list has no name.
 */
typedef struct SpqTypeMember
{
	const char *name;
	const char *arguments;		/* NULL, or the names of its arguments' types,
								 * "a,b", if others of the name differ */
	const char *extension;		/* NULL, or the name of a third extension that
								 * has the function */
	bool		is_distance;	/* returns a distance (see "unit") */
	bool		is_harmless;	/* raises no error for any argument */

	/* these have the same arguments and result */
	const char *equivalent;		/* returns the same, and is faster */
	const char *tried;			/* raises no error; NULL if unknown */

	/*
	 * The same arguments, perhaps with a distance: about the box of the
	 * result, and no error.
	 */
	const char *bounds;

	/*
	 * In SQL: the same arguments, and one more.  True for all values whose
	 * distance is at most this number, or for each value that has a point in
	 * common with the result.
	 */
	const char *implied;
} SpqTypeMember;

/*
 * Distances along the surface of a sphere, of a type whose distances are
 * straight lines.  The functions belong to an extension of this name.
 */
typedef struct SpqTypeSphere
{
	const char *extension;
	const char *arc;			/* function(chord) returns the length of its
								 * arc */
	const char *radius;			/* function() */
} SpqTypeSphere;

/*
 * Support function of an operator class whose type is one of another
 * extension: function(internal) returns internal, which returns the type's
 * SpqType.
 */
#define SPQ_TYPE_SUPPORT 5

/* See "reference". */
#define SPQ_TYPE_NO_REFERENCE PG_UINT32_MAX

/* Changes with the structs of this file. */
#define SPQ_TYPE_VERSION 5

struct SpqType
{
	int			version;		/* SPQ_TYPE_VERSION, of a type of another
								 * extension, which is known by its class */
	const char *name;
	Oid			oid;			/* of PostgreSQL's types.  Ours are known by
								 * the symbol of their input function,
								 * spq_NAME_in */
	int			axes;			/* 2 or 3 */
	bool		is_box;			/* the value is stored as its box */
	bool		is_point;		/* the value is stored as its coordinates */
	bool		has_center;		/* the middle of its box is its place */
	bool		is_long;		/* of variable length, perhaps in a TOAST
								 * table */

	/*
	 * Set the box of a value: 2 * axes numbers.  NULL if values need not have
	 * one.  If a value of another extension has none, and so satisfies no &&,
	 * its high ends are below its low ends.
	 */
	void		(*box) (const SpqTypeBoxOf *how, Datum value, float8 *numbers);

	/* Set the line of a segment or a ray, whose box is mostly empty. */
	void		(*line) (Datum value, SpqLine *line);

	const SpqTypeOperator *operators;

	/*
	 * Operators by which classes order rows.  Joins use those that return a
	 * distance which is at least the gap of the boxes: "distances".
	 */
	const SpqTypeOperator *distances;
	const SpqTypeOperator *orders;

	/* Functions that make values, and raise no error for any argument. */
	const SpqTypeFunction *harmless;

	/*
	 * In the plane: the fraction of its box that a value fills, and of the
	 * box enlarged by a distance, the fraction within that distance.  NULL:
	 * unknown.
	 */
	double		(*filled) (Datum value);
	double		(*filled_near) (Datum value, double distance);

	/*
	 * In space: whether a value meets a box or contains it.  Both are exact.
	 * "may_meet" is a faster test that is true wherever "meets" is.  NULL:
	 * the value contains no box that has a volume; "meets" is as fast.
	 */
	Size		size;			/* bytes of a value */
	bool		(*meets) (const void *value, const float8 *box);
	bool		(*may_meet) (const void *value, const float8 *box);
	bool		(*holds) (const void *value, const float8 *box);

	/*
	 * If a value is everything within a radius of some box, set that box and
	 * return the radius.
	 */
	float8		(*core) (const void *value, float8 *box);

	/*
	 * In the plane: whether operators accept points beside the value's edges,
	 * which its box does not cover; and whether a value as an argument
	 * excludes anything (NULL: each value does).
	 */
	bool		has_edges;
	bool		(*excludes) (Datum value);

	/*
	 * In the plane: whether operators with a box can be true within bounds,
	 * and the window outside which they are false, if there is one.
	 */
	bool		(*reaches) (const void *value, const float8 *bounds);
	bool		(*window) (const void *value, BOX *window);

	/*
	 * In the plane: the function _spqtree_NAME(box), spq_NAME in C, that
	 * makes a value around a window, for indexes of PostgreSQL's classes,
	 * which do not compare values with boxes.
	 */
	const char *around;

	/*
	 * The rest is for types of other extensions whose conditions become
	 * conditions on boxes that functions return.  Then "operators" may be
	 * NULL: those that have strategy number 3, 6, 7 or 8 in the class imply
	 * that these boxes overlap.
	 */

	bool		compares_boxes; /* "box" tells all about && and @> */

	/*
	 * Name of the functions of the class's extension that return a value's
	 * box, or NULL if it has none; and with a distance as second argument, a
	 * box around everything within that distance.  The same with a radius as
	 * third argument, of a sphere along whose surface the distance is.
	 */
	const char *bounds;
	const SpqTypeSphere *sphere;

	/*
	 * Whether the class has an operator 3 (&&) of a value and such a box,
	 * true if they overlap, which then stands for distances in conditions of
	 * an index.
	 */
	bool		meets_boxes;

	/*
	 * Name of the functions of the type's extension that return whether two
	 * values are within a distance.
	 */
	const char *within;

	/*
	 * A number of a value, or NULL if values have no such number.  Functions
	 * of two values, such as "within", raise an error if theirs differ.
	 * SPQ_TYPE_NO_REFERENCE is that of a value about which "within" may
	 * depend on the order of its arguments.
	 */
	uint32		(*reference) (Datum value);

	const SpqTypeMember *members;
	double		unit;			/* a distance is at least this many times that
								 * of the boxes */

	/* The same type in a second class, of three axes, with "box" and "bounds" */
	const SpqType *in_space;

	/*
	 * If not 0: the three axes are the digits of one number in this base, and
	 * a box is an interval of numbers.
	 */
	float8		base;
};

/*
 * Return the number of axes on which values are near each other or not.  Digits
 * together are one.
 */
static inline int
spq_type_free_axes(const SpqType *type)
{
	return type->base > 0 ? 1 : type->axes;
}

/* Return a function of PostgreSQL, or of this library. */
#define SPQ_TYPE_BUILTIN(oid_)	{.oid = oid_}
#define SPQ_TYPE_OWN(symbol_)	{.symbol = symbol_}

/* The ends of lists. */
#define SPQ_TYPE_NO_FUNCTION	{.symbol = NULL}
#define SPQ_TYPE_NO_OPERATOR	{.left = NULL}
#define SPQ_TYPE_NO_MEMBER		{.name = NULL}

extern const SpqType spq_type_box;
extern const SpqType spq_type_point;
extern const SpqType spq_type_circle;
extern const SpqType spq_type_polygon;
extern const SpqType spq_type_lseg;
extern const SpqType spq_type_path;

extern const SpqType spq_type_box3;
extern const SpqType spq_type_point3;
extern const SpqType spq_type_lseg3;
extern const SpqType spq_type_sphere3;
extern const SpqType spq_type_ray3;
extern const SpqType spq_type_frustum3;

extern const SpqType spq_type_inet;

/* line.c */
extern void spq_type_set_line(SpqLine *line, const float8 *at, const float8 *along, int axes,
							  float8 reach);

/* indirect.c: not types, but other ways to get a box */
extern const SpqType spq_type_as_is;
extern const SpqType spq_type_function;

#endif							/* SPQ_TYPES_TYPE_H */
