#!/usr/bin/env bash
# `./croupier test --gpio-sim`: both GPIO backends on a simulated chip of a real kernel, which is built here from Debian's own source as
# User-Mode Linux: an ordinary program, so neither a Pi nor virtualisation is needed. See README.md beside this file.
#   gpio_sim.sh [--cache DIR] [pytest arguments]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$here/../.." && pwd)
cache=$program/.cache/pi
if [[ ${1:-} == --cache ]]; then
    cache=${2:?--cache DIR}
    shift 2
fi
# shellcheck source=../../systemd/image/parts.sh
. "$program/systemd/image/parts.sh"
((EUID == 0)) || die "must be run as root: it boots a kernel that uses this machine's own files"
need gcc make flex bison bc libelf-dev xz-utils procps
mkdir -p "$cache/uml"
cache=$(cd "$cache" && pwd)
# What is in the folder of wheels is for this Python, which is the test's.
python=$program/.venv/bin/python
[[ -x $python ]] || die "there is no $python; run ./croupier test once"

linux=$cache/uml/linux-$(sha256sum "$here/uml.config" | cut -c -12)
if [[ ! -x $linux ]]; then
    package=$(apt-cache search --names-only '^linux-source-6\.[0-9]+$' | awk '{ print $1 }' | sort -V | tail -n 1)
    [[ -n $package ]] || { apt-get update -q >&2; package=$(apt-cache search --names-only '^linux-source-6\.[0-9]+$' | awk '{ print $1 }' | sort -V | tail -n 1); }
    [[ -n $package ]] || die "Debian's linux-source is not among the packages of this machine"
    say "building a kernel from $package: some minutes"
    build=$cache/uml/build
    rm -rf "$build"
    mkdir -p "$build"
    (cd "$build" && apt-get download -q "$package" >&2 && dpkg -x "$package"_*.deb . && tar -xf usr/src/"$package".tar.xz)
    options=(-s -C "$build/$package" ARCH=um SUBARCH=x86_64)
    make "${options[@]}" KCONFIG_ALLCONFIG="$here/uml.config" allnoconfig >&2
    grep -q '^CONFIG_GPIO_SIM=y' "$build/$package/.config" || die "this kernel has no gpio-sim"
    make "${options[@]}" -j "$(nproc)" linux >&2
    mv "$build/$package/linux" "$linux"
    rm -rf "$build"
fi
libraries=$cache/uml/libraries
[[ -d $libraries ]] || {
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --target "$libraries.part" \
        gpiod==2.5.0 rpi-lgpio==0.6 lgpio==0.2.2.0 >&2
    mv "$libraries.part" "$libraries"
}
say "kernel and libraries are here"

run=$(mktemp -d "$cache/uml/run.XXXXXX")
trap 'rm -rf "$run"' EXIT
mkdir "$run/tmp"
cat >"$run/init" <<INIT
#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm
mount -t devpts pts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs run /run
mount -t tmpfs tmp $run/tmp
mount -t configfs config /sys/kernel/config
# This machine has no source of entropy, and nothing here needs any; without this whoever wants some waits for minutes.
$python -I -S -c 'import fcntl, struct; fcntl.ioctl(open("/dev/random", "wb"), 0x40085203, struct.pack("ii64s", 512, 64, bytes(range(64))))'
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p \$chip/bank
echo 54 >\$chip/bank/num_lines
echo pinctrl-bcm2835 >\$chip/bank/label
echo 1 >\$chip/live
export GPIO_SIM=/sys/devices/platform/\$(cat \$chip/dev_name)/\$(cat \$chip/bank/chip_name)
export TMPDIR=$run/tmp RPI_LGPIO_REVISION=a02082 RPI_LGPIO_CHIP=0 PYTHONPATH=$program:$libraries PYTHONDONTWRITEBYTECODE=1
cd $program
$python -P -m pytest -q -o cache_dir=$run/tmp/cache --confcutdir=$here -p no:xdist --color=no --basetemp=$run/tmp/pytest $(printf '%q ' "$here/gpio_sim.py" "$@") 2>&1
echo \$? >$run/status
sync
# The end of its first program ends this kernel; it has no other way to switch itself off.
exit 0
INIT
chmod 755 "$run/init"
# Pins are moved in milliseconds: this kernel goes before whatever else is done here, or it would be the test that is late.
{
    TMPDIR=$run timeout -k 10 900 chrt --rr 1 "$linux" mem=512M root=/dev/root rootfstype=hostfs rootflags=/ rw init="$run/init" quiet \
        con=null con0=fd:0,fd:1 ssl=null </dev/null 2>"$run/kernel.log" | grep --line-buffered -v '^Kernel panic' || true
} 2>/dev/null # the shell tells that this kernel aborts, which is how it ends
[[ -e $run/status ]] || { tail -n 40 "$run/kernel.log" >&2; die "the kernel ended before the tests did"; }
exit "$(cat "$run/status")"
