-- The functions of an operator class of the access method spqtree, and its family.
@each function  returns=void
function                                       symbol                      comment
_spqtree_{type}_ends({type}, internal)         spq_rtree_{type}_ends       ends method of {type}_ops of access method spqtree
_spqtree_{type}_condition(internal, internal)  spq_rtree_{type}_condition  condition method of {type}_ops of access method spqtree
_spqtree_{type}_order(internal, internal)      spq_rtree_{type}_order      order method of {type}_ops of access method spqtree
@end

CREATE OPERATOR FAMILY {type}_ops USING spqtree;

COMMENT ON OPERATOR FAMILY {type}_ops USING spqtree
IS 'index operators for {what}';
