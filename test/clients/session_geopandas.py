"""The session of GeoPandas: what is done is the first argument."""
import os
import sys
import warnings

import geopandas
import shapely
import sqlalchemy
from sqlalchemy import text

warnings.simplefilter("ignore")
engine = sqlalchemy.create_engine(
    "postgresql+psycopg2://postgres@/%s?host=%s" % (os.environ["PGDATABASE"], os.environ["PGHOST"]))


def read(query, column="geom"):
    with engine.connect() as connection:
        return geopandas.read_postgis(text(query), connection, geom_col=column)


what = sys.argv[1]
frame = read("SELECT id, kind, geom AS geometry FROM town.areas ORDER BY id", "geometry") if what in ("write", "append", "replace") else None
if what == "version":
    print("GeoPandas", geopandas.__version__, "SQLAlchemy", sqlalchemy.__version__, "Shapely", shapely.__version__)
elif what == "write":
    frame.to_postgis(sys.argv[2], engine)
elif what == "append":
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE areas (id int, kind text, geometry geometry(Polygon, 3857))"))
        connection.execute(text("CREATE INDEX ON areas USING spqtree (geometry)"))
    frame.to_postgis("areas", engine, if_exists="append")
elif what == "replace":
    frame.to_postgis("areas_new", engine, if_exists="replace")
elif what == "read":
    frame = read("SELECT * FROM areas WHERE ST_Intersects(geometry, %s)" % os.environ["window"], "geometry")
    for row in sorted(frame.itertuples(index=False), key=lambda row: row.id):
        print(row.id, row.kind, round(row.geometry.area, 3))
elif what == "join":
    frame = read("SELECT s.id, a.id AS area, s.geom FROM town.streets s JOIN town.areas a ON ST_Intersects(s.geom, a.geom)")
    for pair in sorted(zip(frame["id"], frame["area"])):
        print(*pair)
elif what == "sjoin":
    print(len(geopandas.sjoin(read("SELECT id, geom FROM town.streets"), read("SELECT id, geom FROM town.areas"), predicate="intersects")))
