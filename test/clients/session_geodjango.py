"""The session of GeoDjango: a command of Django, or a query."""
import os
import sys

import django
from django.conf import settings

settings.configure(
    DATABASES={
        "default": {
            "ENGINE": "django.contrib.gis.db.backends.postgis",
            "NAME": os.environ["PGDATABASE"],
            "HOST": os.environ["PGHOST"],
            "USER": os.environ["PGUSER"],
        }
    },
    INSTALLED_APPS=["django.contrib.postgres", "django.contrib.gis", "town"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
)
django.setup()

from django.contrib.gis.db.models.functions import GeometryDistance  # noqa: E402
from django.contrib.gis.geos import Point, Polygon  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Exists, OuterRef  # noqa: E402
from town.models import Area, Street  # noqa: E402

window = Polygon.from_bbox([float(number) for number in os.environ["corners"].split()])
window.srid = 3857
place = Point(1254400, 6362300, srid=3857)

what = sys.argv[1]
queries = {
    "window": lambda: Area.objects.filter(geom__intersects=window).order_by("id"),
    "boxes": lambda: Area.objects.filter(geom__bboverlaps=window).order_by("id"),
    "dwithin": lambda: Area.objects.filter(geom__dwithin=(place, 150)).order_by("id"),
    "nearest": lambda: Area.objects.filter(kind="forest").order_by(GeometryDistance("geom", place))[:5],
    "exists": lambda: Street.objects.filter(Exists(Area.objects.filter(geom__intersects=OuterRef("geom")))).order_by("id"),
}
if what == "version":
    print("Django", django.get_version())
elif what == "types":
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "town_area")
    print(", ".join("%s %s" % (name, found["type"]) for name, found in sorted(constraints.items()) if found.get("type") == "spqtree"))
elif what in queries:
    for row in queries[what]():
        print(row.pk, row.kind)
else:
    call_command(*(["makemigrations", "town"] + sys.argv[2:] if what == "makemigrations" else sys.argv[1:]))
