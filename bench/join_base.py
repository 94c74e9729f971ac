class JoinBench: pass
