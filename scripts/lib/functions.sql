-- How long a query takes.

-- In the server, planned anew every time: what a program waits for, less the
-- way to the client.
CREATE FUNCTION pg_temp.median_ms(query text, runs int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  started timestamptz;
  ms float8[];
BEGIN
  FOR run IN 1..runs LOOP
    started := clock_timestamp();
    EXECUTE query;
    ms[run] := extract(epoch FROM clock_timestamp() - started) * 1000;
  END LOOP;
  RETURN (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY m) FROM unnest(ms) m);
END $$;
