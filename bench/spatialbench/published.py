"""Times of other engines at scale factor 1, as their developers published them.  None was repeated here."""

# title, processors that a query can use at most, {query: seconds, or what is said instead}
ENGINES = [
    ("SedonaDB 0.1 [1]", 8, {"q09": 0.23, "q10": 18.5, "q11": 33, "q12": 14.5}),
    ("DuckDB 1.4.0 [1]", 8, {"q09": 50, "q10": 207.8, "q11": "> 1200", "q12": "error"}),
    ("GeoPandas 1.1.1 [1]", 1, {"q09": 0.28, "q10": 46, "q11": 51, "q12": "> 1200"}),
    ("SedonaDB 0.3.0, one partition [2]", 1, {"q10": 9.81, "q11": 15.90}),
    ("DuckDB [3]", 4, {"q01": 0.16, "q05": 1.58, "q07": 0.54, "q08": 0.90, "q09": 0.03, "q10": 243.84,
                       "q12": "> 600"}),
    ("GeoPandas [3]", 1, {"q01": 11.18, "q05": 60.40, "q07": 203.78, "q08": 16.35, "q09": 0.11, "q10": 34.52,
                          "q12": "> 600"}),
    ("PyCanopy [3]", 4, {"q01": 0.38, "q05": 1.09, "q07": 1.50, "q08": 0.74}),
]

NOTES = """\
1. [The official results](https://github.com/apache/sedona-spatialbench/blob/main/docs/single-node-benchmarks.md) of
   September 2025, on AWS m7i.2xlarge: 8 virtual processors (4 cores of 2 threads), 32 GB. Queries 10, 11 and 12 of
   SedonaDB and some others are read off a chart. Queries as of then: without LIMIT, and query 12 returned 30 million
   rows.
2. [Logs of RayBooster's authors](https://github.com/pwrliang/sedona-spatialbench/tree/main/paper/logs/g6e.2xlarge/analysis)
   of February 2026, on AWS g6e.2xlarge, without the GPU, `target_partitions = 1`; the mean of five runs after a first
   one, which is not cold. Queries without LIMIT.
3. [Runs on GitHub's machines](https://github.com/apache/sedona-spatialbench/pull/124) of July 2026, with the limits of
   today (query 5 was still ordered by the number of trips). The machine is not named; 4 processors are assumed.
"""

LIMITS = """\
What cannot be compared:

- *Rows.* Theirs come from SpatialBench's generator, and zones from Overture. Ours have the same numbers and similar
  distributions, but zones are synthetic: see [README](../spatialbench/README.md). So answers were not compared with
  SpatialBench's.
- *Storage.* They read Parquet files, compressed, by columns, and convert WKB in each query; cold, except [2]. We read
  tables, loaded and indexed before: that time is given apart. In query 11 they read two columns of trips, we whole rows.
- *Machines.* Processors and disks differ. A virtual processor is a thread of a core, and two threads of a core are not
  twice as fast as one.
- *Core-seconds* of theirs are an upper bound, elapsed seconds times the processors, where the engine uses several
  threads: it may have waited for the disk, or used fewer. GeoPandas and [2] use one thread. Ours are measured.
"""


def best(query):
    """Return the smallest bound of core-seconds, or None."""
    bounds = [processors * times[query] for _, processors, times in ENGINES
              if isinstance(times.get(query), (int, float))]
    return min(bounds) if bounds else None


def cell(query, processors, times):
    value = times.get(query, "")
    if not isinstance(value, (int, float)):
        return value
    return "%g" % value if processors == 1 else "%g (%.3g)" % (value, value * processors)
