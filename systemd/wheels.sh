#!/usr/bin/env bash
# Downloads the Python packages of a cabinet by requirements-cabinet.lock and its hashes, on any machine with the network: for
# install.sh --wheels where there is none, for a bundle (./croupier bundle make --wheels), for an image.
#   wheels.sh FOLDER [SUITE [MACHINE]]       SUITE bookworm (default) or trixie, MACHINE aarch64 (default) or x86_64
# Holds what any display route needs. A folder that is for this lock file already is left alone.
set -euo pipefail
program=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
folder=${1:?wheels.sh FOLDER [SUITE [MACHINE]]} suite=${2:-bookworm} machine=${3:-aarch64}
case $suite in
    bookworm) python=3.11 ;;
    trixie) python=3.13 ;;
    *) echo "wheels.sh: $suite is not bookworm or trixie" >&2; exit 2 ;;
esac
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
wanted=$folder/wanted
{
    echo "$suite $machine"
    cat "$program/requirements-cabinet.lock"
} >"$wanted.new"
if cmp -s "$wanted.new" "$wanted"; then
    rm "$wanted.new"
    exit 0
fi
rm -f "$folder"/*.whl "$wanted"
platforms=()
for platform in manylinux_2_34 manylinux_2_31 manylinux_2_28 manylinux_2_17 manylinux2014; do platforms+=(--platform "${platform}_$machine"); done
for route in fb kmsdrm; do # one has each kind of pygame
    (cd / && PYTHONPATH=$program PYTHONDONTWRITEBYTECODE=1 python3 -P -m firmware.update.locked "$route" "$suite" "$machine") >"$folder/lock"
    # A registry may be busy for a moment.
    for try in 1 2 3; do
        python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes --implementation cp \
            --python-version "$python" "${platforms[@]}" --dest "$folder" --requirement "$folder/lock" >&2 && break
        [[ $try != 3 ]] || exit 1
    done
done
rm "$folder/lock"
mv "$wanted.new" "$wanted"
