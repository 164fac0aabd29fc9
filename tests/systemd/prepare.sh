#!/usr/bin/env bash
# Makes what the test of the service needs, in a folder: Debian packages on this machine, a fresh Debian system (root.tar), and the
# Python packages of the lock file (wheels/). Needs root. What is there already is used again.
#   prepare.sh FOLDER SUITE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$here/../.." && pwd)
folder=${1:?prepare.sh FOLDER SUITE} suite=${2:?prepare.sh FOLDER SUITE}
mirror=${CROUPIER_MIRROR:-http://deb.debian.org/debian}
# shellcheck source=../../systemd/image/parts.sh
. "$program/systemd/image/parts.sh"
((EUID == 0)) || die "must be run as root: it makes a Debian system in a folder"
need mmdebstrap debian-archive-keyring systemd systemd-container xvfb xdotool git util-linux
mkdir -p "$folder"

# The system that the installation meets: Debian with its service manager, and what install.sh says that it would install.
wanted=systemd-sysv,dbus,procps,kmod,$("$program/systemd/install.sh" --packages --suite "$suite" --display x11 | paste -sd ,)
key=$(printf '%s' "$wanted" | sha256sum | cut -c -12)
if [[ ! -e $folder/root-$key.tar ]]; then
    say "Debian $suite"
    mmdebstrap --quiet --mode=root --variant=minbase --include="$wanted" --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$folder/part.tar" "deb $mirror $suite main" >&2
    mv "$folder/part.tar" "$folder/root-$key.tar"
fi
ln -sfn "root-$key.tar" "$folder/root.tar"
"$program/systemd/wheels.sh" "$folder/wheels" "$suite" x86_64
say "all is here"
