def measurements(args): return []
