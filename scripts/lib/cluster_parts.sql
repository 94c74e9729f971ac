-- Print the partitioning :p with part numbers such that each shard of the table :t has one
-- part: the smallest number whose hash is in the shard's range.

WITH numbers AS (SELECT number, worker_hash(number) AS hash FROM generate_series(1, 1000 * (SELECT count(*)::int FROM pg_dist_shard WHERE logicalrelid = :'t'::regclass)) AS number),
     first AS (SELECT shardid, min(number) AS number FROM pg_dist_shard JOIN numbers ON hash BETWEEN shardminvalue::int AND shardmaxvalue::int
               WHERE logicalrelid = :'t'::regclass GROUP BY shardid)
SELECT spqtree_renumber(:'p', array_agg(number ORDER BY shardid)) FROM first;
