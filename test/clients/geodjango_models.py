"""Models with indexes by the access method spqtree."""
from django.contrib.gis.db import models
from django.contrib.postgres.indexes import OpClass, PostgresIndex


class SpqtreeIndex(PostgresIndex):
    suffix = "spqtree"


class Area(models.Model):
    kind = models.TextField()
    geom = models.PolygonField(srid=3857, spatial_index=False)

    class Meta:
        indexes = [
            SpqtreeIndex(models.F("geom"), name="area_geom"),
            SpqtreeIndex(fields=["kind", "geom"], name="area_kind_geom"),
        ]


class Mast(models.Model):
    geom = models.PointField(srid=3857, dim=3, spatial_index=False)

    class Meta:
        indexes = [SpqtreeIndex(OpClass(models.F("geom"), name="spqtree_geometry_nd_ops"), name="mast_geom")]


class Named(models.Model):
    """What does not work: one field by its name makes a GiST index."""

    geom = models.PolygonField(srid=3857, spatial_index=False)

    class Meta:
        indexes = [SpqtreeIndex(fields=["geom"], name="named_geom")]


class Street(models.Model):
    kind = models.TextField()
    geom = models.LineStringField(srid=3857)

    class Meta:
        managed = False
        db_table = "streets"
