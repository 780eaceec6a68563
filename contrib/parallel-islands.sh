#!/bin/sh
# Advances a run with islands on several machines, by GNU parallel over ssh: parallel-islands.sh RUN TASKS HOST,HOST,…
# The folders RUN and TASKS are shared by all hosts. The host ":" is this machine.
while ayo task next "$1" "$2" >&2; do
    ls "$2"/*.task
    sleep 1
done | perl -ne '$| = 1; print unless $seen{$_}++' | parallel --line-buffer --sshlogin "$3" --workdir . --retries 3 \
    ayo task run {} {.}.answer --threads 1 --quiet
ayo task next "$1" "$2"; [ $? -eq 3 ] && exec ayo resume "$1"
