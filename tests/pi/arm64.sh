#!/usr/bin/env bash
# `./croupier test --arm64`: the test suite on a Pi's processor, emulated program by program (qemu-user) in a Debian of a Pi. It proves that
# the packages of the lock file exist for a Pi and that the program behaves there as here; it proves nothing about speed or devices.
#   arm64.sh [--cache DIR] [--whole] [pytest arguments]
# By default the parts that reach down to the processor: bytes on wires and on disk, digests, the books, pixels. --whole adds rules, the terminal,
# drivers and emulated devices, which are integers and threads of the same interpreter, and take many times as long.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$here/../.." && pwd)
cache=$program/.cache/pi
whole=
while (($#)); do
    case $1 in
    --cache) cache=${2:?--cache DIR} && shift 2 ;;
    --whole) whole=yes && shift ;;
    *) break ;;
    esac
done
mirror=${CROUPIER_MIRROR:-http://deb.debian.org/debian}
security=${CROUPIER_SECURITY_MIRROR:-http://deb.debian.org/debian-security}
# shellcheck source=../../systemd/image/parts.sh
. "$program/systemd/image/parts.sh"
((EUID == 0)) || die "must be run as root: it makes a Debian system in a folder"
need mmdebstrap arch-test debian-archive-keyring python3 git
run_arm64
mkdir -p "$cache/cache"
cache=$(cd "$cache" && pwd)

parts=(
    tests/hal/wire tests/cards tests/ledger tests/entries tests/rounds tests/journal tests/fairness tests/display/test_canvas.py
    tests/display/test_frame_buffer.py tests/display/test_fonts.py tests/display/test_text.py tests/display/test_window.py
)
if [[ $whole ]]; then
    # The coach's values need numba, which a cabinet has not.
    set -- "${parts[@]}" tests/games tests/terminal tests/settings tests/devices tests/hal/drivers tests/hal/emulators --ignore tests/terminal/test_coach.py "$@"
elif (($# == 0)); then
    set -- "${parts[@]}"
fi

folder=$cache/arm64
names=$(sed -n 's/^\([A-Za-z0-9._-]*==[^\\]*[^\\ ]\) *\\$/\1/p' "$program/requirements-dev.lock")
# What only checks the source, or only computes odds, is not a Pi's.
names=$(grep -Eiv '^(mypy|mypy-extensions|ast-serialize|ruff|types-.*|numba|llvmlite|scipy|babel|coverage|colorama|pathspec|librt)==' <<<"$names")
key=$(printf '%s' "$names" | sha256sum | cut -c -12)
if [[ ! -e $folder/$key ]]; then
    rm -rf "$folder"
    mkdir -p "$folder/root" "$folder/wheels"
    (cache=$cache/cache && base_root bookworm "$(image_packages bookworm)") >"$folder/base"
    tar -C "$folder/root" --numeric-owner -xpf "$(cat "$folder/base")"
    options=(--quiet --disable-pip-version-check --no-deps --only-binary=:all: --implementation cp --python-version 3.11)
    for platform in manylinux_2_34 manylinux_2_28 manylinux_2_17 manylinux2014; do options+=(--platform "${platform}_aarch64"); done
    printf '%s\n' "$names" >"$folder/requirements"
    python3 -m pip install "${options[@]}" --root-user-action=ignore --target "$folder/root/opt/libraries" --requirement "$folder/requirements" >&2
    : >"$folder/$key"
fi
say "the Debian of a Pi and its libraries are here"
rm -rf "$folder/root/opt/croupier"
mkdir -p "$folder/root/opt/croupier"
(cd "$program" && git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null) | tar -C "$folder/root/opt/croupier" -xf -
cat >"$folder/inside" <<'INSIDE'
set -e
root=$1
shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount -t tmpfs tmp "$root/tmp"
exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 SDL_AUDIODRIVER=dummy SDL_VIDEODRIVER=dummy \
    PYTHONPATH=/opt/croupier:/opt/libraries PYTHONDONTWRITEBYTECODE=1 /bin/sh -c 'cd /opt/croupier && uname -m && exec python3 -P -m pytest "$@"' sh "$@"
INSIDE
unshare --mount --fork --pid --kill-child sh "$folder/inside" "$folder/root" -q -o cache_dir=/tmp/cache -n "$(nproc)" "$@"
