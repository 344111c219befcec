#!/bin/bash
# Pays.
source ./lib.sh
. "$HOME/config.sh"

MAX=3

# Pays what is due.
pay() {
  local amount=$1
  for i in 1 2 3; do
    if [ "$amount" -gt 0 ] && [ "$i" -lt $MAX ]; then
      echo "fake() {"
    fi
  done
}

function total-all {
  echo "$#"
}

pay "$@"
