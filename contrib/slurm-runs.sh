#!/bin/sh
#SBATCH --requeue --open-mode=append
# Trains a run for each seed as an array job: sbatch --array=1-64 slurm-runs.sh --out pop/x
# Runs that were interrupted are resumed, and finished ones are skipped. Other arguments are those of ayo train.
exec ayo train --seeds "$SLURM_ARRAY_TASK_ID" --threads 1 --quiet "$@"
