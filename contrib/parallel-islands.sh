#!/bin/sh
# Advances a run with islands on several machines, by GNU parallel over ssh: parallel-islands.sh RUN TASKS HOST,HOST,…
# The folders RUN and TASKS are shared by all hosts. The host ":" is this machine.
set -u
while :; do
    ayo task next "$1" "$2" || { [ $? -eq 3 ] && exec ayo resume "$1"; exit 1; }
    ls "$2"/*.task | parallel --sshlogin "$3" --workdir . --retries 3 \
        ayo task run {} {.}.answer --threads 1 --quiet || exit 1
done
