#!/bin/sh
# Advances a run with islands by array jobs, one for each migration: slurm-islands.sh RUN TASKS
# The folders RUN and TASKS are shared by all nodes.
set -u
while :; do
    ayo task next "$1" "$2" || { [ $? -eq 3 ] && exec ayo resume "$1"; exit 1; }
    sbatch --wait --requeue --array="1-$(ls "$2"/*.task | wc -l)" --wrap "
        task=\$(ls '$2'/*.task | sed -n \"\${SLURM_ARRAY_TASK_ID}p\")
        exec ayo task run \"\$task\" \"\${task%.task}.answer\" --threads 1 --quiet" || exit 1
done
