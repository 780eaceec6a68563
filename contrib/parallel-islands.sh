#!/bin/sh
# Advances a run with islands on several machines, by GNU parallel over ssh: parallel-islands.sh RUN TASKS HOST,HOST,…
# The folders RUN and TASKS are shared by all hosts. The host ":" is this machine.
rm -f "$2/failed"
while [ ! -e "$2/failed" ] && ayo task next "$1" "$2" >&2; do
    ls "$2"/*.task
    sleep 1
done | perl -ne '$| = 1; print unless $seen{$_}++' | {
    parallel --line-buffer --sshlogin "$3" --workdir . --retries 3 --halt soon,fail=1 \
        ayo task run {} {.}.answer --threads 1 --quiet || touch "$2/failed"
}
[ ! -e "$2/failed" ] || exit 1
ayo task next "$1" "$2"; [ $? -eq 3 ] && exec ayo resume "$1"
