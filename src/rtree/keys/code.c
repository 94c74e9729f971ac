/*-------------------------------------------------------------------------
 *
 * code.c
 *	  The scalar columns of an index before the box, as one number.  See code.h.
 *
 * The bits of a column depend on its class alone, and on which types the
 * class's functions can hash.  Neither changes while the index exists.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "rtree/class/class.h"
#include "rtree/keys/code.h"

/* Return whether the class of a column allows its position in the key. */
static bool
is_in_place(Relation index, int column)
{
	bool		is_spatial = OidIsValid(index_getprocid(index, column, SPQ_RTREE_ENDS_PROC));

	return is_spatial == (column >= spq_rtree_box_column(index)) ||
		spq_rtree_class_is_for_both(index, column);
}

/* Add a hint how to index a column that is not in its place. */
static int
add_hint(bool is_last)
{
	if (is_last)
		return errhint("Write USING spqtree (scalar columns, spatial column) INCLUDE (other columns), "
					   "or use btree if no column is spatial.");
	return errhint("Write USING spqtree (scalar columns, spatial column) INCLUDE (other columns).");
}

void
spq_rtree_check_columns(Relation index)
{
	int			last = IndexRelationGetNumberOfKeyAttributes(index);

	for (int column = 1; column <= last; column++)
	{
		const FormData_pg_attribute *attribute = TupleDescAttr(RelationGetDescr(index), column - 1);
		const char *name = NameStr(attribute->attname);

		if (is_in_place(index, column))
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 column == last ?
				 errmsg("the last key column of an index of access method \"%s\" must be spatial, but \"%s\" is not",
						"spqtree", name) :
				 errmsg("a spatial column must be the last key column of an index of access method \"%s\", but \"%s\" is not",
						"spqtree", name),
				 errdetail("The key is any number of scalar columns, compared by equality, followed by one spatial column, or by up to three ranges."),
				 add_hint(column == last)));
	}
}

/*
 * Return the number of bits of a value that this function hashes, if equal
 * values have equal bits; otherwise 0.
 */
static int
bits_of_value(Oid hash)
{
	switch (hash)
	{
		case F_HASHCHAREXTENDED:
			return 8;
		case F_HASHINT2EXTENDED:
			return 16;
		case F_HASHINT4EXTENDED:
		case F_HASHOIDEXTENDED:
		case F_HASHENUMEXTENDED:
			return 32;
		default:
			return 0;
	}
}

/* Return whether different strings can be equal in a collation. */
static bool
is_nondeterministic(Oid collation)
{
	return OidIsValid(collation) && !get_collation_isdeterministic(collation);
}

/*
 * Return whether the elements of a container can be compared and hashed.  Only
 * types that come with the server are trusted to stay as they are.
 */
static bool
has_plain_contents(Oid type, Oid class_type)
{
	Oid			element;

	type = getBaseType(type);
	switch (class_type)
	{
		case ANYARRAYOID:
			element = get_base_element_type(type);
			break;
		case ANYRANGEOID:
			element = get_range_subtype(type);
			break;
		case ANYMULTIRANGEOID:
			element = get_range_subtype(get_multirange_range(type));
			break;
		default:
			return true;
	}
	return element < FirstUnpinnedObjectId && !type_is_rowtype(element) &&
		OidIsValid(lookup_type_cache(type, TYPECACHE_HASH_EXTENDED_PROC)->hash_extended_proc);
}

/*
 * Return whether the class of a column can hash its values.  The hash of a name
 * is that of its bytes, whatever the collation of its equality.
 */
static bool
can_be_hashed(Oid type, Oid class_type, Oid collation)
{
	if (class_type == NAMEOID)
		return !is_nondeterministic(collation);
	return has_plain_contents(type, class_type);
}

/*
 * Users' functions may raise any error, unless they are leakproof.  Equality of
 * core's types raises none, but that of containers may call users' functions.
 */
bool
spq_rtree_may_ask(Relation index, const ScanKeyData *key)
{
	int			column = key->sk_attno - 1;
	Oid			type = getBaseType(TupleDescAttr(RelationGetDescr(index), column)->atttypid),
				class_type = index->rd_opcintype[column];

	if (key->sk_flags & (SK_SEARCHNULL | SK_SEARCHNOTNULL))
		return true;
	if (key->sk_func.fn_oid >= FirstUnpinnedObjectId)
		return get_func_leakproof(key->sk_func.fn_oid);
	switch (class_type)
	{
		case RECORDOID:
			return false;
		case ANYRANGEOID:
		case ANYMULTIRANGEOID:
			return type < FirstUnpinnedObjectId;
		default:
			return has_plain_contents(type, class_type);
	}
}

void
spq_rtree_coder_init(SpqRtreeCoder *coder, Relation index)
{
	int			hashed = 0,
				bits_of_values = 0,
				shift = 0;

	coder->nscalars = spq_rtree_box_column(index) - 1;
	coder->exact = true;
	for (int i = 0; i < coder->nscalars; i++)
	{
		SpqRtreeScalar *scalar = &coder->scalars[i];
		Oid			hash = index_getprocid(index, i + 1, SPQ_RTREE_HASH_PROC);

		scalar->hash = NULL;
		scalar->collation = index->rd_indcollation[i];
		scalar->bits = 0;
		if (OidIsValid(hash) &&
			can_be_hashed(TupleDescAttr(RelationGetDescr(index), i)->atttypid,
						  index->rd_opcintype[i], scalar->collation))
		{
			scalar->hash = index_getprocinfo(index, i + 1, SPQ_RTREE_HASH_PROC);
			scalar->bits = bits_of_value(hash);
			hashed++;
		}
		if (scalar->bits == 0)
			coder->exact = false;
		else
			bits_of_values += ++scalar->bits;	/* one more, for NULL */
	}
	if (bits_of_values > SPQ_RTREE_CODE_BITS)
		coder->exact = false;

	for (int i = coder->nscalars - 1; i >= 0; i--)
	{
		SpqRtreeScalar *scalar = &coder->scalars[i];

		if (!coder->exact)
			scalar->bits = scalar->hash ? SPQ_RTREE_CODE_BITS / hashed : 0;
		scalar->shift = shift;
		shift += scalar->bits;
	}
}

/* Return the bits of a value, hashed by a function for its type. */
static uint64
hashed_bits(const SpqRtreeScalar *scalar, FmgrInfo *hash, Datum value)
{
	uint64		number;

	number = DatumGetUInt64(FunctionCall2Coll(hash, scalar->collation, value,
											  Int64GetDatum(0)));
	return number >> (64 - scalar->bits);
}

/* Return the bits of a value in an exact code, in the order of values. */
static uint64
value_bits(Oid hash, Datum value)
{
	switch (hash)
	{
		case F_HASHCHAREXTENDED:
			return (uint64) (uint8) DatumGetChar(value) + 1;
		case F_HASHINT2EXTENDED:
			return (uint64) ((int64) DatumGetInt16(value) - PG_INT16_MIN) + 1;
		case F_HASHINT4EXTENDED:
			return (uint64) ((int64) DatumGetInt32(value) - PG_INT32_MIN) + 1;
		default:
			return (uint64) DatumGetObjectId(value) + 1;
	}
}

float8
spq_rtree_code_of(const SpqRtreeCoder *coder, const Datum *values, const bool *isnull)
{
	uint64		code = 0;

	if (coder->nscalars == 0)
		return SPQ_RTREE_NO_CODE;
	for (int i = 0; i < coder->nscalars; i++)
	{
		const SpqRtreeScalar *scalar = &coder->scalars[i];

		if (scalar->bits > 0 && !isnull[i])
			code |= (coder->exact ? value_bits(scalar->hash->fn_oid, values[i]) :
					 hashed_bits(scalar, scalar->hash, values[i])) << scalar->shift;
	}
	return (float8) code;
}

Datum
spq_rtree_decode(const SpqRtreeCoder *coder, float8 code, int column, bool *isnull)
{
	const SpqRtreeScalar *scalar = &coder->scalars[column];
	uint64		bits = ((uint64) code >> scalar->shift) & ((UINT64CONST(1) << scalar->bits) - 1);

	*isnull = bits == 0;
	bits--;
	switch (*isnull ? InvalidOid : scalar->hash->fn_oid)
	{
		case InvalidOid:
			return (Datum) 0;
		case F_HASHCHAREXTENDED:
			return CharGetDatum((char) bits);
		case F_HASHINT2EXTENDED:
			return Int16GetDatum((int16) ((int64) bits + PG_INT16_MIN));
		case F_HASHINT4EXTENDED:
			return Int32GetDatum((int32) ((int64) bits + PG_INT32_MIN));
		default:
			return ObjectIdGetDatum((Oid) bits);
	}
}

/* Find the bits that an integer of another width has in an exact code. */
static SpqRtreeBits
bits_of_other_integer(const SpqRtreeScalar *scalar, Oid hash, Datum argument, uint64 *bits)
{
	int64		number,
				least,
				most;

	switch (scalar->hash->fn_oid)
	{
		case F_HASHINT2EXTENDED:
			least = PG_INT16_MIN;
			most = PG_INT16_MAX;
			break;
		case F_HASHINT4EXTENDED:
			least = PG_INT32_MIN;
			most = PG_INT32_MAX;
			break;
		default:
			return SPQ_RTREE_BITS_UNKNOWN;
	}
	switch (hash)
	{
		case F_HASHINT2EXTENDED:
			number = DatumGetInt16(argument);
			break;
		case F_HASHINT4EXTENDED:
			number = DatumGetInt32(argument);
			break;
		case F_HASHINT8EXTENDED:
			number = DatumGetInt64(argument);
			break;
		default:
			return SPQ_RTREE_BITS_UNKNOWN;
	}
	if (number < least || number > most)
		return SPQ_RTREE_BITS_NONE;
	*bits = (uint64) (number - least) + 1;
	return SPQ_RTREE_BITS_KNOWN;
}

/*
 * An argument of another type is hashed by that type's function in the same
 * family, which agrees with the column's own.  The exceptions are text and name
 * with a nondeterministic collation.
 */
void
spq_rtree_argument_init(SpqRtreeArgument *argument, const SpqRtreeCoder *coder,
						Relation index, ScanKey key)
{
	int			column = key->sk_attno - 1;
	const SpqRtreeScalar *scalar = &coder->scalars[column];
	Oid			type = key->sk_subtype;

	argument->scalar = scalar;
	argument->exact = coder->exact;
	argument->kind = SPQ_RTREE_BITS_KNOWN;
	argument->constant = scalar->bits == 0 || (key->sk_flags & SK_SEARCHNULL);
	argument->other_type = OidIsValid(type) && type != index->rd_opcintype[column];
	argument->function = scalar->hash;
	if (key->sk_flags & SK_SEARCHNOTNULL)
		argument->kind = SPQ_RTREE_BITS_UNKNOWN;
	else if (!(key->sk_flags & SK_SEARCHNULL) && key->sk_strategy != SPQ_RTREE_EQUAL_STRATEGY)
	{
		/* a class for both positions has other operators, too */
		argument->kind = SPQ_RTREE_BITS_UNKNOWN;
		return;
	}
	if (!argument->other_type || argument->constant)
		return;
	argument->hash = get_opfamily_proc(index->rd_opfamily[column], type, type,
									   SPQ_RTREE_HASH_PROC);
	if (!OidIsValid(argument->hash) || is_nondeterministic(scalar->collation))
		argument->kind = SPQ_RTREE_BITS_UNKNOWN;
	else if (!coder->exact)
	{
		argument->function = &argument->function_space;
		fmgr_info(argument->hash, argument->function);
	}
}

SpqRtreeBits
spq_rtree_argument_bits(SpqRtreeArgument *argument, Datum value, uint64 *bits)
{
	*bits = 0;
	if (argument->kind != SPQ_RTREE_BITS_KNOWN || argument->constant)
		return argument->kind;
	if (!argument->exact)
		*bits = hashed_bits(argument->scalar, argument->function, value);
	else if (argument->other_type)
		return bits_of_other_integer(argument->scalar, argument->hash, value, bits);
	else
		*bits = value_bits(argument->scalar->hash->fn_oid, value);
	return SPQ_RTREE_BITS_KNOWN;
}
