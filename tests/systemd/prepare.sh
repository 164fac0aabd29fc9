#!/usr/bin/env bash
# Makes what the test of the service needs, in a folder: Debian packages on this machine, a fresh Debian system (root.tar), and the
# Python packages of the lock file (wheels/). Needs root. What is there already is used again.
#   prepare.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$here/../.." && pwd)
folder=${1:?prepare.sh FOLDER}
mirror=${CROUPIER_MIRROR:-http://deb.debian.org/debian}
# shellcheck source=../../systemd/image/parts.sh
. "$program/systemd/image/parts.sh"
((EUID == 0)) || die "must be run as root: it makes a Debian system in a folder"
need mmdebstrap debian-archive-keyring systemd systemd-container xvfb xdotool git util-linux
mkdir -p "$folder/wheels"

# The system that the installation meets: Debian with its service manager, and what install.sh says that it would install.
wanted=systemd-sysv,dbus,procps,kmod,$("$program/systemd/install.sh" --packages --display x11 | paste -sd ,)
key=$(printf '%s' "$wanted" | sha256sum | cut -c -12)
if [[ ! -e $folder/root-$key.tar ]]; then
    say "Debian bookworm"
    mmdebstrap --quiet --mode=root --variant=minbase --include="$wanted" --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$folder/part.tar" "deb $mirror bookworm main" >&2
    mv "$folder/part.tar" "$folder/root-$key.tar"
fi
ln -sfn "root-$key.tar" "$folder/root.tar"
if ! cmp -s "$folder/wheels/lock" "$program/requirements.lock"; then
    say "Python packages"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes --implementation cp --python-version 3.11 \
        --platform manylinux_2_34_x86_64 --platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
        --dest "$folder/wheels" --requirement "$program/requirements.lock" >&2
    cp "$program/requirements.lock" "$folder/wheels/lock"
fi
say "all is here"
