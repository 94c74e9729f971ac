"""The session of GeoAlchemy2: what is done is the first argument."""
import os
import sys
import warnings

import geoalchemy2
import sqlalchemy
from geoalchemy2 import Geometry
from sqlalchemy import Column, Index, Integer, func, select, text

from geoalchemy_models import Area, Base, Street

warnings.simplefilter("ignore")
engine = sqlalchemy.create_engine(
    "postgresql+psycopg2://postgres@/%s?host=%s" % (os.environ["PGDATABASE"], os.environ["PGHOST"]))


class Both(Base):
    """What is to be avoided: the column makes an index, too."""

    __tablename__ = "both"
    id = Column(Integer, primary_key=True)
    geom = Column(Geometry("POLYGON", srid=3857))
    __table_args__ = (Index("both_spqtree", "geom", postgresql_using="spqtree"),)


window = func.ST_MakeEnvelope(*[float(number) for number in os.environ["corners"].split()], 3857)
place = func.ST_SetSRID(func.ST_Point(1254400, 6362300), 3857)
queries = {
    "window": select(Area.id).where(func.ST_Intersects(Area.geom, window)).order_by(Area.id),
    "nearest": select(Area.id).where(Area.kind == "forest").order_by(Area.geom.distance_centroid(place)).limit(5),
    "join": select(Street.id, Area.id).join(Area, func.ST_Intersects(Street.geom, Area.geom)).order_by(Street.id, Area.id),
}


def reflected():
    metadata = sqlalchemy.MetaData()
    metadata.reflect(engine, only=["areas"])
    return metadata


what = sys.argv[1]
if what == "version":
    print("GeoAlchemy2", geoalchemy2.__version__, "SQLAlchemy", sqlalchemy.__version__)
elif what == "create":
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO areas SELECT id, kind, geom FROM town.areas"))
        connection.execute(text("INSERT INTO streets SELECT id, geom FROM town.streets"))
elif what == "reflect":
    found = {index.name: index.dialect_options["postgresql"]["using"] for index in reflected().tables["areas"].indexes}
    print(", ".join("%s %s" % pair for pair in sorted(found.items())))
elif what == "copy":
    table = reflected().tables["areas"]
    with engine.begin() as connection:
        connection.execute(text("CREATE SCHEMA copies"))
        connection.execute(text("SET search_path TO copies, public"))
        table.create(connection)
else:
    with engine.connect() as connection:
        for row in connection.execute(queries[what]):
            print(*row)
