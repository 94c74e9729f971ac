"""The measurements of the companion for PostGIS: joins and indexes of real geometries."""
import postgis_clusters
import postgis_geography
import postgis_index
import postgis_join
import postgis_locate
import postgis_lookup


def measurements(args):
    """Return (name, run) of each; run takes a PostgisBench."""
    return [("postgis: " + name, run) for name, run in (
        *postgis_join.measurements(), *postgis_clusters.measurements(), *postgis_lookup.measurements(), *postgis_locate.measurements(), *postgis_index.measurements(),
        *postgis_geography.measurements())]
