#!/bin/sh
# Advances a run with islands by jobs of one task each: slurm-islands.sh RUN TASKS
# The folders RUN and TASKS are shared by all nodes.
while ayo task next "$1" "$2" >&2; do
    ls "$2"/*.task
    sleep 1
done | perl -ne '$| = 1; print unless $seen{$_}++' | while read -r task; do
    sbatch --requeue --wrap "exec ayo task run '$task' '${task%.task}.answer' --threads 1 --quiet" || exit 1
done
ayo task next "$1" "$2"; [ $? -eq 3 ] && exec ayo resume "$1"
