#!/bin/sh
# Starts Aalina (https://github.com/joansalasoler/oware), which speaks the protocol without further help. AALINA names
# the jar with all libraries that its build leaves in target/, or the folder of its classes; then CLASSPATH names the
# libraries.
#
#     export AALINA=oware/target/oware.jar
#     ayo match amateur 'uci:cmd="contrib/peers/aalina.sh",movetime=20ms,option.OwnBook=false' --threads 1
: "${AALINA:?set AALINA to the jar of Aalina}"
# In a folder of classes, the tables and the book are found only from there.
if [ -d "$AALINA" ]; then cd "$AALINA" || exit 1; fi
exec java --add-opens java.base/java.lang=ALL-UNNAMED -cp "$AALINA:${CLASSPATH:-}" \
    com.joansala.game.oware.OwareModule service
