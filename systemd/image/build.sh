#!/usr/bin/env bash
# Makes a card image for a Raspberry Pi 3 or 4 out of Debian packages alone: firmware, kernel, a root that stays read-only, and a
# partition for the journal. Needs root and some minutes; no docker, no loop devices. See README.md beside this file.
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$here/../.." && pwd)
# shellcheck source=parts.sh
. "$here/parts.sh"

usage() {
    cat <<'TEXT'
build.sh [options]: makes a card image
  --output FILE      the image (default: croupier.img in the current folder)
  --cache DIR        downloads and the Debian system are kept here and used again (default: /var/cache/croupier-image)
  --suite NAME       bookworm (default) or trixie
  --config FILE      the cabinet's configuration, with display.driver = "fb" (default: config/examples/cabinets/hobby.toml);
                     it lies on the boot partition as cabinet.toml, where any PC can change it
  --ssh-key FILE     let the owner of this public key log in as root over the network (default: nobody can log in)
  --key FILE.pub     trust this maker's key (may be repeated): the program must be signed by it, and updates can be (updates.md)
  --audit-token FILE switch the read-only page on, with this token of at least 16 characters
  --size MIB         size of the image (default: what it needs); at its first start it takes the whole card
  --compress         also FILE.xz
  --keep DIR         leave the parts of the image here, for a test
TEXT
}

output=croupier.img cache=/var/cache/croupier-image suite=bookworm config=""
ssh_key="" keys=() audit_token="" size="" compress="" keep=""
mirror=${CROUPIER_MIRROR:-http://deb.debian.org/debian}
security=${CROUPIER_SECURITY_MIRROR:-http://deb.debian.org/debian-security}
while (($#)); do
    case $1 in
        --output) output=${2:?--output FILE}; shift ;;
        --cache) cache=${2:?--cache DIR}; shift ;;
        --suite) suite=${2:?--suite NAME}; shift ;;
        --config) config=${2:?--config FILE}; shift ;;
        --ssh-key) ssh_key=${2:?--ssh-key FILE}; shift ;;
        --key) keys+=("${2:?--key FILE.pub}"); shift ;;
        --audit-token) audit_token=${2:?--audit-token FILE}; shift ;;
        --size) size=${2:?--size MIB}; shift ;;
        --keep) keep=${2:?--keep DIR}; shift ;;
        --compress) compress=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
case $suite in
    bookworm | trixie) ;;
    *) die "--suite: $suite is not bookworm or trixie" ;;
esac
[[ -z $config || -f $config ]] || die "--config: there is no file $config"
[[ -z $ssh_key || -f $ssh_key ]] || die "--ssh-key: there is no file $ssh_key"
[[ -z $audit_token || -f $audit_token ]] || die "--audit-token: there is no file $audit_token"
for key in "${keys[@]}"; do [[ $key == *.pub && -f $key ]] || die "--key: there is no file $key, or its name does not end in .pub"; done
((EUID == 0)) || die "must be run as root: it makes files that belong to root and others"

# The same packages and the same program give the same image, to the byte: the time is the last commit's, all identities are fixed.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$program" log -1 --format=%ct 2>/dev/null || echo 1700000000)}
export SOURCE_DATE_EPOCH E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
root_uuid=c0099135-0000-4000-8000-000000000002 data_uuid=c0099135-0000-4000-8000-000000000003
versions_uuid=c0099135-0000-4000-8000-000000000004 boot_id=c0099135

need mmdebstrap arch-test device-tree-compiler mtools dosfstools fdisk e2fsprogs cpio kmod xz-utils debian-archive-keyring python3
run_arm64
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# --- Parts -----------------------------------------------------------------------------------------------------------

packages=$(image_packages "$suite")
[[ -z $ssh_key ]] || packages+=,openssh-server,iproute2
base=$(base_root "$suite" "$packages")
mapfile -t unpacked < <(unpack "$suite" 'linux-image-arm64*' raspi-firmware busybox-static)
((${#unpacked[@]} == 3)) || die "could not download kernel, firmware and busybox"
kernel=${unpacked[0]} firmware=${unpacked[1]} busybox=${unpacked[2]}/bin/busybox
[[ -e $busybox ]] || busybox=${unpacked[2]}/usr/bin/busybox
[[ -d $kernel/lib/modules ]] || ln -sfn usr/lib "$kernel/lib"
wheels=$cache/wheels-$suite
"$program/systemd/wheels.sh" "$wheels" "$suite" aarch64
say "parts are here"

# --- Root ------------------------------------------------------------------------------------------------------------

root=$work/root
mkdir "$root"
tar -C "$root" --numeric-owner -xpf "$base"
. "$here/root.sh"
mkdir "$work/source"
copy_of_program "$work/source"
kernel_modules "$kernel" "$root"
furnish
install_program
say "the program is installed"
say "root: $(du -sm --apparent-size "$root" | cut -f 1) MB, of them modules $(du -sm "$root/lib/modules" | cut -f 1), program $(du -sm "$root/opt/croupier" | cut -f 1)"

# --- Boot ------------------------------------------------------------------------------------------------------------

boot=$work/boot
version=$(ls "$root/lib/modules")
mkdir "$boot"
cp "$firmware"/usr/lib/raspi-firmware/{bootcode.bin,start.elf,fixup.dat,start4.elf,fixup4.dat} "$boot/"
cp "$kernel/boot/vmlinuz-$version" "$boot/vmlinuz"
initial_ram "$root" "$busybox" "$boot/initramfs.gz"
for tree in bcm2837-rpi-3-b bcm2837-rpi-3-b-plus bcm2711-rpi-4-b; do
    device_tree "$kernel/usr/lib/linux-image-$version/broadcom/$tree.dtb" "$boot/$tree.dtb"
done
cp "$here/config.txt" "$boot/config.txt"
sed "s/@ROOT@/UUID=$root_uuid/" "$here/cmdline.txt" >"$boot/cmdline.txt"
if [[ -n $config ]]; then
    cp "$config" "$boot/cabinet.toml"
else
    sed 's/^\[display\]$/&\ndriver = "fb"                   # the image has no other/' "$program/config/examples/cabinets/hobby.toml" >"$boot/cabinet.toml"
fi
find "$boot" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

# --- Image -----------------------------------------------------------------------------------------------------------

# A fresh copy in one fixed order: a folder's order on disk is the order in which its files were made.
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
mkdir "$work/sorted"
tar -C "$root" --sort=name --numeric-owner -cf - . | tar -C "$work/sorted" --numeric-owner -xpf -
rm -rf "$root"
root=$work/sorted

boot_start=4 boot_size=$(($(du -sm "$boot" | cut -f 1) + 16))
root_start=$((boot_start + boot_size))
root_files=$(find "$root" | wc -l)
root_size=$(($(du -sm "$root" | cut -f 1) + root_files / 2048 + 8))
data_start=$((root_start + root_size))
versions_size=24 data_size=32
if [[ -n $size ]]; then
    data_size=$((size - data_start - versions_size))
    ((data_size >= 32)) || die "--size: $size MiB leave $data_size for the journal; give at least $((data_start + 32 + versions_size))"
fi
versions_start=$((data_start + data_size))
size=$((versions_start + versions_size))
truncate -s "${boot_size}M" "$work/boot.vfat"
mkfs.vfat --invariant -i "$boot_id" -n CROUPIER "$work/boot.vfat" >/dev/null
(cd "$boot" && find . -type f | LC_ALL=C sort | while read -r file; do mcopy -m -i "$work/boot.vfat" "$file" "::${file#./}"; done)
make_ext4() { # FILE MIB UUID LABEL FOLDER MOST-MIB OPTION...
    truncate -s "${2}M" "$1"
    mke2fs -q -F -t ext4 -b 4096 -U "$3" -E "hash_seed=$3,resize=$(($6 * 256))" -L "$4" -d "$5" "${@:7}" "$1"
    # mke2fs copies when each file was last changed, a time that no other tool can set, and read, which reading a folder moves.
    find "$5" -printf "set_inode_field \"/%P\" ctime @$SOURCE_DATE_EPOCH\nset_inode_field \"/%P\" atime @$SOURCE_DATE_EPOCH\n" >"$work/times"
    debugfs -w -f "$work/times" "$1" 2>&1 >/dev/null | { ! grep -v '^debugfs [0-9]'; } || die "$1: times could not be set"
}
# The root is never written: it needs no journal and no reserve.
make_ext4 "$work/root.ext4" "$root_size" "$root_uuid" croupier-root "$root" $((root_size * 2)) -m 0 -O ^has_journal -N $((root_files + 1024))
mkdir -p "$work/data"
chown "$(stat -c %u:%g "$root/var/lib/croupier")" "$work/data"
chmod 700 "$work/data"
touch -d "@$SOURCE_DATE_EPOCH" "$work/data"
make_ext4 "$work/data.ext4" "$data_size" "$data_uuid" croupier-data "$work/data" 262144 -m 1 -J size=8
mkdir -p "$work/versions"
touch -d "@$SOURCE_DATE_EPOCH" "$work/versions"
make_ext4 "$work/versions.ext4" "$versions_size" "$versions_uuid" croupier-prog "$work/versions" 4096 -m 0 -J size=4 -N 8192

image=$work/image
truncate -s "${size}M" "$image"
sfdisk -q "$image" <<TABLE
label: dos
label-id: 0x$boot_id
start=${boot_start}MiB, size=${boot_size}MiB, type=c, bootable
start=${root_start}MiB, size=${root_size}MiB, type=83
start=${data_start}MiB, size=${data_size}MiB, type=83
start=${versions_start}MiB, size=${versions_size}MiB, type=83
TABLE
into "$image" "$work/boot.vfat" "$boot_start"
into "$image" "$work/root.ext4" "$root_start"
into "$image" "$work/data.ext4" "$data_start"
into "$image" "$work/versions.ext4" "$versions_start"
e2fsck -fn "$work/root.ext4" >/dev/null 2>&1 || die "the root's file system is damaged"
if [[ -n $keep ]]; then
    mkdir -p "$keep"
    cp "$boot"/{vmlinuz,initramfs.gz,cmdline.txt,bcm2837-rpi-3-b.dtb} "$keep/"
fi
mv "$image" "$output"
say "$output: $size MiB, on disk $(du -m "$output" | cut -f 1) MiB; boot $boot_size, root $root_size, data $data_size, versions $versions_size MiB; $SECONDS s"
say "sha256 $(sha256sum "$output" | cut -d ' ' -f 1)"
if [[ -n $compress ]]; then
    xz -k -f -T 0 -3 "$output"
    say "$output.xz: $(du -m "$output.xz" | cut -f 1) MiB"
fi
