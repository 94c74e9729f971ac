-- A type, with its functions for input and output.
CREATE TYPE {type};

@each function  comment=I/O
function               returns  symbol
{type}_in(cstring)     {type}   {symbol}_in
{type}_out({type})     cstring  {symbol}_out
{type}_recv(internal)  {type}   {symbol}_recv
{type}_send({type})    bytea    {symbol}_send
@end

CREATE TYPE {type} (
	INPUT = {type}_in, OUTPUT = {type}_out, RECEIVE = {type}_recv, SEND = {type}_send,
	ELEMENT = {element}, SUBSCRIPT = pg_catalog.raw_array_subscript_handler,
	STORAGE = {storage},
	INTERNALLENGTH = {length}, ALIGNMENT = double);

COMMENT ON TYPE {type}
IS '{comment}';
