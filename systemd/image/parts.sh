# The parts of which build.sh makes an image: each a function that leaves its result in a file or folder and uses it again
# when it is there. Sourced, not run; needs bash, root and a Debian machine of any architecture. `cache` is set by the caller.
# Not responsible for what the program itself needs on a cabinet: that is install.sh's.

say() { printf '%s: [%4d s] %s\n' "${0##*/}" "$SECONDS" "$*" >&2; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# Installs Debian packages that are missing.
need() {
    local package missing=()
    for package in "$@"; do
        [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    say "installing on this machine: ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

# Lets this machine run programs of a Pi.
run_arm64() {
    [[ "$(uname -m)" != aarch64 ]] || return 0
    need qemu-user-static
    local where=/proc/sys/fs/binfmt_misc
    [[ -e $where/register ]] || mount -t binfmt_misc binfmt_misc "$where" || die "this kernel can't run programs of another machine (binfmt_misc)"
    [[ -e $where/qemu-aarch64 ]] || tail -n 1 /usr/lib/binfmt.d/qemu-aarch64.conf >"$where/register" || die "could not register qemu-aarch64"
    [[ "$(head -n 1 "$where/qemu-aarch64")" == enabled ]] || die "qemu-aarch64 is registered but not enabled: echo 1 > $where/qemu-aarch64"
}

# sources SUITE: what apt reads, one line each.
sources() {
    local parts="main non-free-firmware"
    echo "deb $mirror $1 $parts"
    echo "deb $mirror $1-updates $parts"
    echo "deb $security $1-security $parts"
}

# Packages of a Pi, out of reach of this machine's own apt: downloads into $cache/debs and unpacks into $cache/unpacked.
# unpack SUITE PACKAGE...; a package that ends in * is what a metapackage of that name depends on.
unpack() {
    local suite=$1 apt=$cache/apt-$1 package name deb
    shift
    mkdir -p "$apt"/{lists/partial,archives/partial,etc/preferences.d,etc/apt.conf.d} "$cache"/{debs,unpacked}
    sources "$suite" >"$apt/etc/sources.list"
    : >>"$apt/status"
    cat >"$apt/apt.conf" <<-CONF
	APT::Architecture "arm64"; APT::Architectures { "arm64"; };
	Dir::Etc "$apt/etc"; Dir::Etc::parts "$apt/etc/apt.conf.d"; Dir::Etc::trusted "/etc/apt/trusted.gpg"; Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
	Dir::State::lists "$apt/lists"; Dir::State::status "$apt/status"; Dir::Cache "$apt";
	Acquire::Languages "none"; Acquire::Retries "3";
	APT::Sandbox::User "root";
	CONF
    export APT_CONFIG=$apt/apt.conf
    [[ -n "$(find "$apt/lists" -name '*Packages*' -mmin -720 -print -quit)" ]] || apt-get update -q >&2 || die "apt-get update failed for $suite"
    for package in "$@"; do
        if [[ $package == *\* ]]; then
            name=$(apt-cache depends --important "${package%\*}" | awk '$1 == "Depends:" { print $2; exit }')
        else
            name=$package
        fi
        [[ -n $name ]] || die "no package $package in $suite"
        deb=$(cd "$apt" && apt-get download -q --print-uris "$name" | awk '{ print $2 }')
        [[ -n $deb ]] || die "no package $name in $suite"
        if [[ ! -e $cache/unpacked/$deb ]]; then
            (cd "$cache/debs" && apt-get download -q "$name" >&2)
            rm -rf "$cache/unpacked/part"
            dpkg -x "$cache/debs/$deb" "$cache/unpacked/part"
            mv "$cache/unpacked/part" "$cache/unpacked/$deb"
        fi
        echo "$cache/unpacked/$deb"
    done
    unset APT_CONFIG
}

# base_root SUITE PACKAGE,PACKAGE...: a Debian system of a Pi, as a tar file whose name it prints.
base_root() {
    local suite=$1 packages=$2 tar
    tar=$cache/root-$suite-$(printf '%s' "$packages" | sha256sum | cut -c -12).tar
    if [[ ! -e $tar ]]; then
        local line lines=()
        while read -r line; do lines+=("$line"); done < <(sources "$suite")
        say "Debian $suite for arm64, with its packages configured under emulation: some minutes"
        mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 --include="$packages" \
            --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
            --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
            --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
            --dpkgopt='path-include=/usr/share/doc/*/copyright' --dpkgopt='path-exclude=/usr/share/locale/*' \
            --dpkgopt='path-exclude=/usr/share/info/*' \
            "$suite" "${tar%.tar}.part.tar" "${lines[@]}" >&2
        mv "${tar%.tar}.part.tar" "$tar"
    fi
    echo "$tar"
}

# image_packages SUITE: the Debian packages of a card, with those that install.sh needs there.
image_packages() {
    printf 'systemd-sysv,usr-is-merged,kmod,fdisk,dosfstools,e2fsprogs,systemd-timesyncd,'
    "$program/systemd/install.sh" --packages --suite "$1" --display fb | paste -sd ,
}

# Modules that a cabinet can need; the rest of Debian's kernel (about 300 MB) is for other machines.
KEPT_MODULES=(
    arch crypto lib fs/{ext4,jbd2,fat,fuse,overlayfs,configfs,autofs} fs/mbcache.ko fs/nls/{nls_ascii,nls_cp437,nls_iso8859-1,nls_utf8}.ko
    net/{ipv6,unix,core,packet,802,llc,8021q}
    drivers/{mmc,gpio,pinctrl,hid,input,i2c,spi,pwm,clk,clocksource,cpufreq,thermal,watchdog,rtc,dma,mailbox,firmware,reset,regulator,soc,char,leds,nvmem,phy,mfd,of}
    drivers/hwmon/{raspberrypi-hwmon,hwmon}.ko drivers/scsi/{scsi_mod,scsi_common,sd_mod}.ko
    drivers/usb drivers/net/{usb,phy,mdio,ethernet/broadcom/genet} drivers/net/mii.ko
    drivers/gpu/drm/{vc4,v3d,scheduler,display,bridge,panel,ttm,tiny,drm_shmem_helper.ko,drm_kms_helper.ko,drm_dma_helper.ko,drm_cma_helper.ko,drm_display_helper.ko,drm_panel_orientation_quirks.ko,drm.ko,gud}
    drivers/video drivers/media/cec drivers/media/rc drivers/tty drivers/staging/vc04_services
    sound/{core,soc/bcm,soc/generic,usb} sound/soundcore.ko sound/soc/snd-soc-core.ko sound/soc/codecs/snd-soc-hdmi-codec.ko
)

# kernel_modules UNPACKED-KERNEL ROOT: the kept modules, with their index.
kernel_modules() {
    local from=$1 root=$2 version kept path
    version=$(ls "$from/lib/modules")
    mkdir -p "$root/lib/modules/$version/kernel"
    for kept in "${KEPT_MODULES[@]}"; do
        for path in "$from/lib/modules/$version/kernel/$kept"*; do
            [[ $path == "$from/lib/modules/$version/kernel/$kept" || $path == "$from/lib/modules/$version/kernel/$kept".?z* ]] || continue
            mkdir -p "$root/lib/modules/$version/kernel/$(dirname "$kept")"
            cp -a "$path" "$root/lib/modules/$version/kernel/$(dirname "$kept")/"
        done
    done
    cp "$from/lib/modules/$version"/modules.{order,builtin,builtin.modinfo} "$root/lib/modules/$version/"
    depmod -b "$root" "$version"
}

# Modules without which the root can't be found on a card: Pi 3's two controllers, Pi 4's and its voltage switch, the file system.
INITIAL_MODULES=(bcm2835-dma bcm2835 sdhci-iproc gpio-raspberrypi-exp regulator-gpio gpio-regulator raspberrypi-hwmon crc32c_generic ext4)

# initial_ram ROOT BUSYBOX FILE: the smallest thing that mounts the root read-only and goes on there. Built here and not
# by update-initramfs, which takes a quarter of an hour under emulation.
initial_ram() {
    local root=$1 busybox=$2 file=$3 version folder module path
    version=$(ls "$root/lib/modules")
    folder=$(mktemp -d)
    mkdir -p "$folder"/{bin,dev,proc,sys,run,new,modules}
    cp "$busybox" "$folder/bin/busybox"
    for module in "${INITIAL_MODULES[@]}"; do
        modprobe -d "$root" -S "$version" --show-depends "$module" 2>/dev/null | awk '$1 == "insmod" { print $2 }' || true
    done | awk '!seen[$0]++' | while read -r path; do
        module=${path##*/}
        case $path in
            *.xz) xz -dc "$path" >"$folder/modules/${module%.xz}"; echo "${module%.xz}" ;;
            *) cp "$path" "$folder/modules/"; echo "$module" ;;
        esac
    done >"$folder/order"
    grep -q '^ext4' "$folder/order" || grep -q '/ext4\.ko' "$root/lib/modules/$version/modules.builtin" || die "the kernel has no ext4"
    cat >"$folder/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mkdir -p /usr/bin /usr/sbin /sbin
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read -r module; do insmod "/modules/$module" 2>/dev/null || echo "initial: $module does not load"; done </order
for word in $(cat /proc/cmdline); do
    case $word in
        root=*) root=${word#root=} ;;
        init=*) init=${word#init=} ;;
    esac
done
waited=0
while ! device=$(findfs "$root" 2>/dev/null) || [ ! -b "$device" ]; do
    case $root in /dev/*) [ -b "$root" ] && device=$root && break ;; esac
    if [ "$waited" -ge 600 ]; then
        echo "initial: no $root; the disks here:"
        cat /proc/partitions
        exec sh
    fi
    waited=$((waited + 1))
    sleep 0.1
done
# At the first start on a larger card the partition of versions (the fourth, right behind the journal's) goes to the card's end, and the
# journal's (the third) up to it. First the few bytes of the empty file system are copied to where nothing is, then one sector says so:
# whatever the moment of a power cut, the old or the new table is whole. Their file systems grow when they are mounted
# (x-systemd.growfs). Here nothing is mounted yet; nothing is formatted.
versions=524288 # 256 MiB in sectors
bytes() { for shift in 0 8 16 24; do printf "\\\\$(printf %03o $(($1 >> shift & 255)))"; done; }
enter() { printf "$(bytes "$1")" | dd of=/table bs=1 seek="$2" conv=notrunc 2>/dev/null; } # NUMBER OFFSET
grow() {
    disk=${device##*/} && disk=${disk%p2}
    three=/sys/block/$disk/${disk}p3 four=/sys/block/$disk/${disk}p4
    [ -d "$three" ] && [ -d "$four" ] || return 0
    end=$(cat "/sys/block/$disk/size") start=$(cat "$three/start") at=$(cat "$four/start") size=$(cat "$four/size")
    to=$(((end - versions) / 2048 * 2048))
    # Only once, from where the image has it, and only to where nothing is.
    [ "$at" -eq $((start + $(cat "$three/size"))) ] && [ "$to" -ge $((at + size)) ] || return 0
    dd if="/dev/${disk}p4" of="/dev/$disk" bs=1M seek=$((to / 2048)) conv=notrunc 2>/dev/null || return 0
    sync
    dd if="/dev/$disk" of=/table bs=512 count=1 2>/dev/null
    enter $((to - start)) $((446 + 2 * 16 + 12))
    enter "$to" $((446 + 3 * 16 + 8))
    enter "$versions" $((446 + 3 * 16 + 12))
    dd if=/table of="/dev/$disk" bs=512 count=1 conv=notrunc 2>/dev/null
    sync
    blockdev --rereadpt "/dev/$disk"
    echo "initial: the journal's partition has now $(((to - start) / 2048)) MiB, that of versions $((versions / 2048))"
}
grow
mount -t ext4 -o ro "$device" /new || { echo "initial: can't mount $device"; exec sh; }
umount /proc
umount /sys
mount -o move /dev /new/dev
exec switch_root /new "${init:-/sbin/init}"
INIT
    chmod 755 "$folder/init"
    find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$folder" && find . | LC_ALL=C sort | cpio --quiet --reproducible -o -H newc -R 0:0 | gzip -n -9) >"$file"
    rm -rf "$folder"
}

# device_tree IN OUT: a Pi's description for a cabinet. The dependable serial port, which Bluetooth has otherwise, is /dev/ttyAMA0 on the
# header's pins 8 and 10; the other one, whose speed changes with the processor's, is off.
device_tree() {
    local port=/soc/serial@7e201000 gpio=/soc/gpio@7e200000 handle=c001 pins
    pins=$gpio/$(fdtget -l "$1" $gpio | grep -x 'uart0[_-]gpio14') || die "$1: there are no pins of the first serial port" # named either way
    cp "$1" "$2"
    fdtput -r "$2" $port/bluetooth
    fdtput -d "$2" $port uart-has-rtscts 2>/dev/null || true
    fdtput -t x "$2" "$pins" phandle $handle
    fdtput -t x "$2" $port pinctrl-0 $handle
    fdtput -t s "$2" /soc/serial@7e215040 status disabled
}

# into IMAGE FILE MEBIBYTES: writes a partition's content to its place.
into() { dd if="$2" of="$1" bs=1M seek="$3" conv=notrunc,sparse status=none; }
