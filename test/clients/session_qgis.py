"""The session of QGIS: what is done is the first argument."""
import os
import sys

from qgis.core import (
    Qgis, QgsApplication, QgsDataSourceUri, QgsFeatureRequest, QgsRectangle, QgsVectorLayer)

application = QgsApplication([], False)
application.initQgis()
corners = [float(number) for number in os.environ["corners"].split()]
rectangle = QgsRectangle(*corners)


def layer(table, key="id", estimated=False):
    uri = QgsDataSourceUri()
    uri.setConnection(os.environ["PGHOST"], "5432", os.environ["PGDATABASE"], "postgres", "")
    uri.setDataSource("" if table.startswith("(") else "public", table, "geom", "", key)
    uri.setSrid("3857")
    uri.setUseEstimatedMetadata(estimated)
    made = QgsVectorLayer(uri.uri(False), "layer", "postgres")
    if not made.isValid():
        sys.exit("no layer of %s: %s" % (table, made.dataProvider() and made.dataProvider().error().message()))
    return made


def show(made, request):
    for number in sorted(feature["id"] for feature in made.getFeatures(request)):
        print(number)


what = sys.argv[1]
if what == "version":
    print("QGIS", Qgis.QGIS_VERSION)
elif what == "map":
    show(layer("streets"), QgsFeatureRequest(rectangle))
elif what == "exact":
    show(layer("streets"), QgsFeatureRequest(rectangle).setFlags(QgsFeatureRequest.ExactIntersect))
elif what == "expression":
    show(layer("areas"), QgsFeatureRequest().setFilterExpression("intersects($geometry, geom_from_wkt('%s'))" % rectangle.asWktPolygon()))
elif what == "query":
    query = "(SELECT s.id, s.geom FROM streets s WHERE EXISTS (SELECT FROM areas a WHERE a.kind = 'forest' AND ST_Intersects(s.geom, a.geom)))"
    show(layer(query), QgsFeatureRequest())
elif what == "extent":
    box = layer("streets").extent()
    print(*(round(number) for number in (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())))
elif what == "estimate":
    box, exact = layer("streets", estimated=True).extent(), layer("streets").extent()
    print("near" if box.buffered(500).contains(exact) and exact.buffered(500).contains(box) else box.toString())
# as QGIS advises, without its cleaning up: it may crash at the end of python
sys.stdout.flush()
os._exit(0)
