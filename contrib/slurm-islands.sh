#!/bin/sh
# Advances a run with islands by jobs of one task each: slurm-islands.sh RUN TASKS
# The folders RUN and TASKS are shared by all nodes. Jobs write errors to TASKS/slurm.log. Interrupted ones exit with 130.
rm -f "$2/failed"
while [ ! -e "$2/failed" ] && ayo task next "$1" "$2" >&2; do
    ls "$2"/*.task
    sleep 1
done | perl -ne '$| = 1; print unless $seen{$_}++' | while read -r task; do
    sbatch --requeue --output "$2/slurm.log" --open-mode append --wrap "ayo task run '$task' '${task%.task}.answer' \
        --threads 1 --quiet || { [ \$? -eq 130 ] || touch '$2/failed'; exit 1; }" || touch "$2/failed"
done
[ ! -e "$2/failed" ] || { echo "a task failed: see $2/slurm.log" >&2; exit 1; }
ayo task next "$1" "$2"; [ $? -eq 3 ] && exec ayo resume "$1"
