# baselines
