"""Tables with indexes by the access method spqtree, for the sessions of GeoAlchemy2 and Alembic."""
from geoalchemy2 import Geometry
from sqlalchemy import Column, Index, Integer, Text
from sqlalchemy.orm import declarative_base

Base = declarative_base()


class Area(Base):
    __tablename__ = "areas"
    id = Column(Integer, primary_key=True)
    kind = Column(Text)
    geom = Column(Geometry("POLYGON", srid=3857, spatial_index=False))
    __table_args__ = (
        Index("areas_geom", "geom", postgresql_using="spqtree"),
        Index("areas_kind_geom", "kind", "geom", postgresql_using="spqtree"),
    )


class Street(Base):
    __tablename__ = "streets"
    id = Column(Integer, primary_key=True)
    geom = Column(Geometry("LINESTRING", srid=3857, spatial_index=False))
    __table_args__ = (Index("streets_geom", "geom", postgresql_using="spqtree"),)
