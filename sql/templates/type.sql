-- A type, with its functions for input and output, whose names begin with a name.
CREATE TYPE {type};

@each function  comment=I/O
function               returns  symbol
{name}_in(cstring)     {type}   {symbol}_in
{name}_out({type})     cstring  {symbol}_out
{name}_recv(internal)  {type}   {symbol}_recv
{name}_send({type})    bytea    {symbol}_send
@end

CREATE TYPE {type} (
	INPUT = {name}_in, OUTPUT = {name}_out, RECEIVE = {name}_recv, SEND = {name}_send,
	ELEMENT = {element}, SUBSCRIPT = pg_catalog.raw_array_subscript_handler,
	STORAGE = {storage},
	INTERNALLENGTH = {length}, ALIGNMENT = double);

COMMENT ON TYPE {type}
IS '{comment}';
