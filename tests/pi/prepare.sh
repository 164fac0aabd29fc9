#!/usr/bin/env bash
# Makes what the emulated Pi starts from, in a folder: the card image by systemd/image/build.sh, and a device tree with what the
# Pi's firmware would add. A folder that holds all of it for this very program is left alone. Needs root.
#   prepare.sh FOLDER CACHE SUITE [SOURCE KEY.pub]     SOURCE: a signed copy of the program, KEY.pub: whose signature the card trusts
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$here/../.." && pwd)
folder=${1:?prepare.sh FOLDER CACHE SUITE} cache=${2:?prepare.sh FOLDER CACHE SUITE} suite=${3:?prepare.sh FOLDER CACHE SUITE} source=${4:-$program} key=${5:-}
# shellcheck source=../../systemd/image/parts.sh
. "$program/systemd/image/parts.sh"
((EUID == 0)) || die "must be run as root"
need qemu-system-arm device-tree-compiler mtools dosfstools e2fsprogs git

mkdir -p "$folder"
state=$(cd "$program" && git ls-files -z -- firmware hal display config systemd requirements.lock requirements-cabinet.lock croupier tests/pi/prepare.sh | { xargs -0 sha1sum 2>/dev/null || true; } | { cat - ${key:+"$key"}; echo "$suite"; } | sha1sum | cut -d ' ' -f 1)
if [[ -e $folder/state && $(cat "$folder/state") == "$state" ]]; then
    say "the image is here already"
    exit 0
fi
rm -f "$folder/state"
if [[ $key ]]; then # the copy has no history to take the time from
    SOURCE_DATE_EPOCH=$(git -C "$program" log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
fi
"$source/systemd/image/build.sh" --suite "$suite" ${key:+--key "$key"} --cache "$cache" --output "$folder/croupier.img" --keep "$folder"
tree=$folder/pi3.dtb
cp "$folder/bcm2837-rpi-3-b.dtb" "$tree"
# What the firmware tells: which board this is. And the second serial port, which a cabinet does not use, for the console.
fdtput -p -t x "$tree" /system linux,revision a02082
fdtput -t s "$tree" /soc/serial@7e215040 status okay
fdtput -d "$tree" /soc/serial@7e215040 pinctrl-0
fdtput -d "$tree" /soc/serial@7e215040 pinctrl-names
# A frame buffer at the place where QEMU has one: 800 x 480, 32 bits.
fdtput -t x "$tree" /chosen '#address-cells' 1
fdtput -t x "$tree" /chosen '#size-cells' 1
fdtput "$tree" /chosen ranges
screen=/chosen/framebuffer@3c100000
fdtput -p -t s "$tree" $screen compatible simple-framebuffer
fdtput -t x "$tree" $screen reg 3c100000 177000
fdtput -t i "$tree" $screen width 800
fdtput -t i "$tree" $screen height 480
fdtput -t i "$tree" $screen stride 3200
fdtput -t s "$tree" $screen format a8r8g8b8
fdtput -t s "$tree" $screen status okay
echo "$state" >"$folder/state"
