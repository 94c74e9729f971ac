-- Streets and areas, with indexes by the access method spqtree.
local streets = osm2pgsql.define_table({
    name = 'streets',
    ids = { type = 'way', id_column = 'way_id' },
    columns = {
        { column = 'class', type = 'text' },
        { column = 'geom', type = 'linestring', not_null = true },
    },
    indexes = {
        { column = 'geom', method = 'spqtree' },
        { column = { 'class', 'geom' }, method = 'spqtree' },
    },
})

local areas = osm2pgsql.define_table({
    name = 'areas',
    ids = { type = 'way', id_column = 'way_id' },
    columns = {
        { column = 'class', type = 'text' },
        { column = 'geom', type = 'polygon', not_null = true },
    },
    indexes = {
        { column = 'geom', method = 'spqtree', include = 'class' },
        { column = 'geom', method = 'spqtree', where = "class = 'forest'" },
    },
})

function osm2pgsql.process_way(object)
    if object.tags.highway then
        streets:insert({ class = object.tags.highway, geom = object:as_linestring() })
    elseif object.is_closed and object.tags.landuse then
        areas:insert({ class = object.tags.landuse, geom = object:as_polygon() })
    end
end
