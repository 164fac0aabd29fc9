#!/usr/bin/env bash
# Makes a cabinet out of a fresh Raspberry Pi OS Lite or Debian (Bookworm, Trixie; 64 bits), and does no harm when run again.
# It finds out what it can: model, release, frame buffer, partitions. See README.md beside this file.
set -euo pipefail
umask 022
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
source=$(cd "$here/.." && pwd -P)

usage() {
    cat <<'TEXT'
install.sh [options]: installs Croupier in /opt/croupier and starts it at boot
  --config FILE      the cabinet's configuration; without it /etc/croupier/cabinet.toml stays, or is config/examples/cabinets/hobby.toml
  --display ROUTE    kmsdrm (SDL on the bare console), cage (Wayland), fb (frame buffer), x11 (an X server that is there).
                     Without it: fb if the configuration says display.driver = "fb", else the route that was installed before, else kmsdrm
  --wheels DIR       install Python packages from this folder alone, without a network; systemd/wheels.sh fills it
  --trim             also take out of the boot what a cabinet does not need (listed in README.md; undone by --uninstall)
  --no-start         install and enable, but do not start now
  --image            this root is for the card of a Raspberry Pi and runs elsewhere: start nothing, look at no device, make no secret
  --dry-run          say what would be done, and do nothing
  --packages         print the Debian packages that would be needed, and end; --suite bookworm or trixie for another Debian
  --uninstall        take away what was installed; /var/lib/croupier and /etc/croupier stay
TEXT
}

say() { printf 'install: %s\n' "$*"; }
die() { printf 'install: %s\n' "$*" >&2; exit "${2:-2}"; }

config='' display='' wheels='' trim='' start=yes dry='' image='' suite='' act=install
while (($#)); do
    case $1 in
        --config) config=${2:?--config FILE}; shift ;;
        --display) display=${2:?--display ROUTE}; shift ;;
        --wheels) wheels=${2:?--wheels DIR}; shift ;;
        --trim) trim=yes ;;
        --no-start) start='' ;;
        --image) image=yes start='' ;;
        --suite) suite=${2:?--suite NAME}; shift ;;
        --dry-run) dry=yes ;;
        --packages) act=packages ;;
        --uninstall) act=uninstall ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; die "unknown option $1" ;;
    esac
    shift
done

# Does something, or says that it would.
run() {
    if [[ -n $dry ]]; then
        printf '  would run: %s\n' "$*"
    else
        "$@"
    fi
}

# --- What there is ---------------------------------------------------------------------------------------------------

[[ -z $suite || $act == packages ]] || die "--suite goes with --packages alone"
: "${suite:=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}"
case $suite in
    bookworm | trixie) ;;
    *) die "this is ${suite:-an unknown system}; Croupier's installation knows Debian and Raspberry Pi OS, bookworm and trixie" ;;
esac
case $(uname -m) in
    aarch64 | x86_64) ;;
    *) die "this system has $(uname -m); use the 64-bit Raspberry Pi OS" ;;
esac
model=$([[ -n $image ]] && echo "the card of a Raspberry Pi" || tr -d '\0' 2>/dev/null </proc/device-tree/model || true)
: "${model:=$(uname -m), not a Raspberry Pi}"
target=/opt/croupier etc=/etc/croupier units=/etc/systemd/system note=/etc/croupier/installed
[[ -z $config || -f $config ]] || die "--config: there is no file $config"
[[ -z $wheels || -d $wheels ]] || die "--wheels: there is no folder $wheels"
[[ -z $wheels ]] || wheels=$(cd "$wheels" && pwd -P)

read_config=${config:-$etc/cabinet.toml}
[[ -f $read_config ]] || read_config=$source/config/examples/cabinets/hobby.toml
if [[ -z $display ]]; then
    if grep -Eq '^[[:space:]]*driver[[:space:]]*=[[:space:]]*"fb"' "$read_config"; then
        display=fb
    else
        display=$(sed -n 's/^display=//p' "$note" 2>/dev/null || true)
        : "${display:=kmsdrm}"
    fi
fi
case $display in kmsdrm | cage | fb | x11) ;; *) die "--display: $display is not kmsdrm, cage, fb or x11" ;; esac

packages=(python3 python3-venv udev tzdata)
# The mixer of PyPI's pygame is not there without it.
glib=libglib2.0-0
[[ $suite != trixie ]] || glib=libglib2.0-0t64
case $display in
    kmsdrm)
        packages+=(libdrm2 libgbm1 libegl1 libgles2 libgl1-mesa-dri libasound2-data)
        # SDL on the bare console: Debian's pygame 2.6.1 in Trixie has it, that of PyPI has not.
        [[ $suite != trixie ]] || packages+=(python3-pygame)
        ;;
    cage) packages+=("$glib" cage seatd xwayland kbd libegl1 libgles2 libgl1-mesa-dri libasound2-data) ;;
    fb) packages+=("$glib" libasound2-data) ;;
    x11) packages+=("$glib" libxcursor1 libxi6 libxrandr2) ;;
esac
[[ $act != packages ]] || { printf '%s\n' "${packages[@]}"; exit 0; }
[[ -n $dry ]] || ((EUID == 0)) || die "must be run as root: sudo $0"
is_booted() { [[ -d /run/systemd/system ]]; }

# --- Units and settings of the system: what is put where --------------------------------------------------------------

mounts=()
grep -qs '[[:space:]]/var/lib/croupier[[:space:]]' /etc/fstab || ! blkid -L croupier-data >/dev/null 2>&1 || mounts+=(var-lib-croupier.mount)
grep -qs '/media/croupier-mirror' /etc/fstab || mounts+=('media-croupier\x2dmirror.mount')

placed() { # every file that may be placed: "FROM TO"
    local unit
    for unit in croupier.service croupier-audit.service croupier-splash.service var-lib-croupier.mount; do
        printf '%s %s\n' "$here/$unit" "$units/$unit"
    done
    # Its name on a system follows from its folder; a backslash in the name of a file of the program is no good.
    printf '%s %s\n' "$here/croupier-mirror.mount" "$units/media-croupier\x2dmirror.mount"
    printf '%s %s\n' "$here/etc/60-croupier.rules" /etc/udev/rules.d/60-croupier.rules \
        "$here/etc/sysusers.conf" /etc/sysusers.d/croupier.conf "$here/etc/tmpfiles.conf" /etc/tmpfiles.d/croupier.conf \
        "$here/etc/journald.conf" /etc/systemd/journald.conf.d/croupier.conf "$here/etc/watchdog.conf" /etc/systemd/system.conf.d/croupier.conf \
        "$here/etc/cage.conf" $units/croupier.service.d/cage.conf "$here/etc/x11.conf" $units/croupier.service.d/x11.conf
}
wanted() { # is this one of the files for this cabinet?
    case $1 in
        */var-lib-croupier.mount) [[ " ${mounts[*]} " == *" var-lib-croupier.mount "* ]] ;;
        */media-croupier*) [[ " ${mounts[*]} " == *mirror* ]] ;;
        */cage.conf) [[ $display == cage ]] ;;
        */x11.conf) [[ $display == x11 ]] ;;
        # The watchdog of an emulated or foreign board is not known.
        */system.conf.d/croupier.conf) [[ $model == *Raspberry* && $model != *"not a"* ]] ;;
        *) true ;;
    esac
}
# Services that a cabinet does not need at its boot; --trim masks those that are there and notes which.
trimmed=(apt-daily.timer apt-daily-upgrade.timer man-db.timer ModemManager.service triggerhappy.service bluetooth.service hciuart.service
    cloud-init.service cloud-config.service cloud-final.service cloud-init-local.service NetworkManager-wait-online.service
    systemd-networkd-wait-online.service dphys-swapfile.service rpi-eeprom-update.service keyboard-setup.service console-setup.service e2scrub_reap.service)
console=(getty@tty1.service plymouth-start.service plymouth-quit.service plymouth-quit-wait.service)
cmdline_words=(quiet loglevel=3 logo.nologo vt.global_cursor_default=0 consoleblank=0)

systemctl_try() { run systemctl --quiet "$@" 2>/dev/null || true; }

# Edits /boot/firmware of a Pi: adds words and lines once, keeping the first state beside it.
boot_texts() {
    local folder=/boot/firmware word line
    [[ -f $folder/cmdline.txt ]] || folder=/boot
    [[ -f $folder/cmdline.txt && -f $folder/config.txt ]] || return 0
    [[ -e $folder/cmdline.txt.before-croupier ]] || run cp "$folder/cmdline.txt" "$folder/cmdline.txt.before-croupier"
    [[ -e $folder/config.txt.before-croupier ]] || run cp "$folder/config.txt" "$folder/config.txt.before-croupier"
    for word in "${cmdline_words[@]}"; do
        grep -qw -- "$word" "$folder/cmdline.txt" || run sed -i "1s/\$/ $word/" "$folder/cmdline.txt"
    done
    run sed -i 's/console=tty1/console=tty3/' "$folder/cmdline.txt"
    for line in disable_splash=1 boot_delay=0 initial_turbo=30; do
        grep -qx -- "$line" "$folder/config.txt" || run sed -i "\$a$line" "$folder/config.txt"
    done
}

# --- Taking away -----------------------------------------------------------------------------------------------------

if [[ $act == uninstall ]]; then
    say "taking Croupier away; the journal in /var/lib/croupier and /etc/croupier stay"
    if is_booted; then systemctl_try stop croupier.service croupier-audit.service; fi
    systemctl_try disable croupier.service croupier-audit.service croupier-splash.service var-lib-croupier.mount 'media-croupier\x2dmirror.mount'
    while read -r unit; do systemctl_try unmask "$unit"; done < <(sed -n 's/^masked=//p' "$note" 2>/dev/null || true)
    while read -r _ to; do
        [[ ! -e $to ]] || run rm -f "$to"
    done < <(placed)
    while read -r folder; do
        [[ ! -d $folder ]] || run rmdir --ignore-fail-on-non-empty "$folder"
    done < <(sed -n 's/^made=//p' "$note" 2>/dev/null || true)
    for text in /boot/firmware/cmdline.txt /boot/firmware/config.txt /boot/cmdline.txt /boot/config.txt; do
        [[ ! -e $text.before-croupier ]] || run mv "$text.before-croupier" "$text"
    done
    [[ ! -d $target ]] || run rm -rf "$target"
    run rm -rf /opt/croupier-versions /var/cache/croupier "$note"
    ! is_booted || run systemctl daemon-reload
    say "done; the user croupier and Debian packages stay, as others may use them"
    exit 0
fi

# --- Installing ------------------------------------------------------------------------------------------------------

say "$model; $suite; display by $display${mounts[*]:+; ${mounts[*]}}"

missing=()
for package in "${packages[@]}"; do
    [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || missing+=("$package")
done
if ((${#missing[@]})); then
    say "Debian packages: ${missing[*]}"
    run env DEBIAN_FRONTEND=noninteractive apt-get update -q
    run env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

if [[ $source != "$target" ]]; then
    say "program: $source to $target"
    run mkdir -p "$target"
    # What is gone from the new version must not stay; .venv is kept for the next lines to look at.
    run find "$target" -mindepth 1 -maxdepth 1 ! -name .venv -exec rm -rf {} +
    if [[ -n $dry ]]; then
        echo "  would copy the program"
    else
        # What no cabinet gets: names with a dot, and what firmware/manifest/tree.py knows as not shipped.
        tar -C "$source" --exclude='./.*' --exclude=./tests --exclude=./data --exclude=./screenshots --exclude=./build --exclude=./dist \
            --exclude='__pycache__' --exclude=./sealed.json --owner=0 --group=0 --mode=go-w -cf - . | tar -C "$target" -xpf -
    fi
fi

# Packages by their hashes, those of this screen, Debian and processor; what was installed for is noted beside them.
system_pygame=''
[[ $display != kmsdrm || $suite != trixie ]] || system_pygame=yes
lock='' python=$(command -v python3 || true)
[[ -z $python ]] || lock=$(cd / && PYTHONPATH=$source PYTHONDONTWRITEBYTECODE=1 "$python" -P -m firmware.update.locked "$display" "$suite" "$(uname -m)")
[[ -n $lock || -n $dry ]] || die "there is no python3"
if [[ -z $lock || "$(cat "$target/.venv/installed-cabinet.lock" 2>/dev/null || true)" != "$lock" ]] || ! "$target/.venv/bin/python" -c '' 2>/dev/null; then
    say "Python packages${wheels:+ from $wheels}"
    run rm -rf "$target/.venv"
    run python3 -m venv ${system_pygame:+--system-site-packages} "$target/.venv"
    pip=("$target/.venv/bin/python" -m pip --disable-pip-version-check --no-input --quiet)
    offline=()
    [[ -z $wheels ]] || offline=(--no-index --find-links "$wheels")
    [[ -n $dry ]] || echo "$lock" >"$target/.venv/wanted.lock"
    run "${pip[@]}" install --no-deps --no-compile --only-binary=:all: --require-hashes "${offline[@]}" --requirement "$target/.venv/wanted.lock"
    # setuptools' pkg_resources triples the time that pygame takes to be imported; nothing is installed here any more.
    run "${pip[@]}" uninstall --yes setuptools pip 2>/dev/null || true
    # Megabytes of manual, examples and tests that no cabinet reads.
    [[ -n $dry ]] || rm -rf "$target"/.venv/lib/*/site-packages/pygame/{docs,examples,tests}
    if [[ -z $dry ]]; then
        cp "$source/requirements.lock" "$target/.venv/installed-requirements.lock"
        mv "$target/.venv/wanted.lock" "$target/.venv/installed-cabinet.lock"
    fi
fi
if [[ -z $dry && $display == kmsdrm ]] && ! (cd / && PYTHONPATH=$target "$target/.venv/bin/python" -P -c \
    'import sys; from firmware.doctor.screen import compiled_drivers; sys.exit("kmsdrm" not in compiled_drivers())'); then
    die "the pygame here was built without KMSDRM, so it can't draw on a bare console; run this again with --display cage, or with display.driver = \"fb\" in the configuration" 1
fi

say "user, groups, folders"
made=() # folders that --uninstall takes away again if nothing else is in them, the deepest first
while read -r from to; do
    if ! wanted "$to"; then
        [[ ! -e $to ]] || run rm -f "$to"
    elif ! cmp -s "$from" "$to"; then
        folder=$(dirname "$to")
        while [[ ! -d $folder ]]; do
            made+=("$folder")
            folder=$(dirname "$folder")
        done
        run install -D -m 644 "$from" "$to"
    fi
done < <(placed)
run systemd-sysusers /etc/sysusers.d/croupier.conf
run systemd-tmpfiles --create /etc/tmpfiles.d/croupier.conf
run install -d -m 755 "$etc" "$etc/keys"
if [[ -n $config ]]; then
    [[ $config -ef $etc/cabinet.toml ]] || run install -m 644 "$config" "$etc/cabinet.toml"
elif [[ ! -e $etc/cabinet.toml && ! -L $etc/cabinet.toml ]]; then
    say "$etc/cabinet.toml is a copy of config/examples/cabinets/hobby.toml: change it to what is built in"
    run install -m 644 "$source/config/examples/cabinets/hobby.toml" "$etc/cabinet.toml"
fi
if [[ ! -e $etc/audit.token && -z $image ]]; then
    if [[ -n $dry ]]; then
        echo "  would make $etc/audit.token"
    else
        (umask 077 && od -An -N 24 -tx1 /dev/urandom | tr -d ' \n' >"$etc/audit.token")
    fi
fi

say "compiling and sealing the program"
# The same modules give the same bytes, wherever that is done.
run env PYTHONHASHSEED=0 "$target/.venv/bin/python" -m compileall -qq --invalidation-mode unchecked-hash "$target/firmware" "$target/hal" "$target/display" "$target/.venv/lib" || true
run "$target/croupier" manifest seal
[[ ! -e /opt/croupier-versions/current ]] || say "an update is installed and goes on running; ./croupier update tells which"

say "services"
masked=()
hide=("${console[@]}")
[[ -z $trim ]] || hide+=("${trimmed[@]}")
for unit in "${hide[@]}"; do
    if [[ -e /lib/systemd/system/$unit || -e $units/$unit || $unit == getty@* ]]; then
        masked+=("$unit")
        systemctl_try mask "$unit"
    fi
done
while read -r unit; do # what an earlier run has masked stays noted
    [[ " ${masked[*]} " == *" $unit "* ]] || masked+=("$unit")
done < <(sed -n 's/^masked=//p' "$note" 2>/dev/null || true)
[[ -z $trim ]] || boot_texts
if [[ -z $dry ]]; then
    while read -r folder; do # and what it has made
        [[ " ${made[*]} " == *" $folder "* ]] || made+=("$folder")
    done < <(sed -n 's/^made=//p' "$note" 2>/dev/null || true)
    {
        echo "display=$display"
        ((${#masked[@]} == 0)) || printf 'masked=%s\n' "${masked[@]}"
        ((${#made[@]} == 0)) || printf 'made=%s\n' "${made[@]}"
    } >"$note"
fi
systemctl_try enable croupier.service croupier-splash.service "${mounts[@]}"
if is_booted; then
    run systemctl daemon-reload
    ! command -v udevadm >/dev/null || { run udevadm control --reload && run udevadm trigger; } || true
    [[ -z $start ]] || run systemctl restart croupier.service
fi
say "done. What is wrong with this cabinet: sudo -u croupier $target/croupier doctor --config $etc/cabinet.toml"
