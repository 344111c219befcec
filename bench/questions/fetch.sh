#!/usr/bin/env bash
# Fetch the eight tables of the own question set.
#
#   bash fetch.sh DIR
#
# Needs npm, pip (as python3 -m pip), tar and a SHA-256 tool. The packages are downloaded by name and pinned
# version with the ordinary clients; only the eight files are kept, in DIR, and each is checked against its
# SHA-256. Exits non-zero when a download fails or a file differs.
set -euo pipefail

if [ $# -ne 1 ]; then
  echo "usage: bash fetch.sh DIR" >&2
  exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# npm packages: name, version, file name of the packed archive.
npm_pack() {
  (cd "$tmp" && npm pack --silent "$1@$2" >/dev/null && mkdir -p "$3" && tar -xzf "$3-$2.tgz" -C "$3")
}
npm_pack vega-datasets 3.2.1 vega-datasets
npm_pack @observablehq/sample-datasets 1.0.1 observablehq-sample-datasets

# The wheel is named in full (platform and Python version) so that every machine gets the same archive;
# it is only unpacked, never installed.
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
  --implementation cp --python-version 3.11 --abi cp311 --platform manylinux_2_28_x86_64 \
  --dest "$tmp/wheel" statsmodels==0.15.0
python3 -m zipfile -e "$tmp"/wheel/statsmodels-0.15.0-*.whl "$tmp/statsmodels"

vega="$tmp/vega-datasets/package/data"
obs="$tmp/observablehq-sample-datasets/package"
sm="$tmp/statsmodels/statsmodels/datasets"
cp "$vega/airports.csv" "$vega/birdstrikes.csv" "$vega/budget.json" \
  "$vega/unemployment-across-industries.json" \
  "$obs/olympians.csv" "$obs/pizza.csv" \
  "$sm/grunfeld/grunfeld.csv" "$sm/macrodata/macrodata.csv" "$out/"

if command -v sha256sum >/dev/null; then check="sha256sum -c"; else check="shasum -a 256 -c"; fi
cd "$out"
$check <<'SUMS'
903c7169e6d558eefb95295fe2947ec8503135fbb855ea5c737cf4a90ea603ad  airports.csv
45777edf69984b37599e73dbfb34dbc976055243547407214261a4fcb9466462  birdstrikes.csv
13eeecc0993fc767df37eac8e151522a5bdaee78adcd3e7e37fe10c9ca71ea96  budget.json
6f6ca138e645eeee6ff3e54fe5b9b498f7ddb5c484237d2a8489c524b3c94098  grunfeld.csv
d93c0d3a7a77ef83c3af14e46032bb1d02ae3a512b22ab94159a8ca226fcf708  macrodata.csv
29ff8d6298da8961d264be2849701614cce6ef939d6e52fb413f2071ec30f7ec  olympians.csv
50b49e7118acd32960ab3a97784c9507fb1b040fddffaa35603097acf98405f6  pizza.csv
c12e32b5b8bf66d5ce40081a22b5557b2a8649dbdcbe03028b3df65cd66257a1  unemployment-across-industries.json
SUMS
