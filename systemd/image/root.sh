# What is put into the image's root beside Debian. Sourced by build.sh, whose $root, $program, $cache and $python it uses.

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" PYTHONHASHSEED=0 "$@"; }

# The program, by install.sh, from what is committed, offline.
install_program() {
    local target=$root/opt/croupier
    mkdir -p "$target"
    if git -C "$program" rev-parse --git-dir >/dev/null 2>&1; then
        git -C "$program" -c core.fileMode=true ls-files -z -- . ':!tests' ':!.ci' | (cd "$program" && tar --null --files-from=- --owner=0 --group=0 --mode=go-w -cf -) | tar -C "$target" -xpf -
    else
        (cd "$program" && tar --exclude=./.git --exclude=./.venv --exclude=./.cache --exclude=./tests --owner=0 --group=0 -cf - .) | tar -C "$target" -xpf -
    fi
    say "installing the program"
    inside useradd --system --user-group --home-dir /var/lib/croupier --shell /usr/sbin/nologin croupier
    local group
    for group in gpio spi i2c; do inside getent group "$group" >/dev/null || inside groupadd --system "$group"; done
    inside usermod -a -G gpio,dialout,video,render,input,audio croupier
    mkdir -p "$target/.wheels"
    cp "$cache/wheels-$python"/*.whl "$target/.wheels/"
    inside python3 -m venv --without-pip "$(realpath -m --relative-to=/ /opt/croupier/.venv | sed 's,^,/,')"
    PYTHONPATH="" python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-index --no-compile --only-binary=:all: \
        --implementation cp --python-version "$python" --platform manylinux_2_34_aarch64 --platform manylinux_2_28_aarch64 \
        --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 --root-user-action=ignore \
        --target "$target/.venv/lib/python$python/site-packages" "$target/.wheels"/*.whl
    rm -rf "$target/.wheels" "$target"/.venv/lib/*/site-packages/pygame/{docs,examples,tests}
    cp "$program/requirements.lock" "$target/.venv/installed-requirements.lock"
    cp "$program/systemd/croupier.service" "$root/etc/systemd/system/"
    inside systemctl enable --quiet croupier.service
}

# What makes this root an image's: read-only, no logins, partitions by their names, nothing written but the journal.
furnish() {
    local home=$root/root
    mkdir -p "$root"/{etc/croupier,boot/firmware,var/lib/croupier,var/cache/croupier,media/croupier-mirror}
    chown "$(awk -F: '$1 == "croupier" { print $3 ":" $4 }' "$root/etc/passwd")" "$root/var/lib/croupier" "$root/media/croupier-mirror"
    chmod 700 "$root/var/lib/croupier"
    ln -sfn /boot/firmware/cabinet.toml "$root/etc/croupier/cabinet.toml"
    cat >"$root/etc/fstab" <<-FSTAB
	UUID=$root_uuid / ext4 ro,noatime 0 0
	UUID=C009-9135 /boot/firmware vfat ro,umask=022,x-systemd.device-timeout=5min 0 0
	UUID=$data_uuid /var/lib/croupier ext4 noatime,nosuid,nodev,noexec,data=ordered,commit=1,errors=remount-ro,x-systemd.growfs,x-systemd.device-timeout=5min 0 2
	LABEL=croupier-mir /media/croupier-mirror ext4 noatime,nosuid,nodev,noexec,nofail,x-systemd.device-timeout=10s 0 2
	tmpfs /tmp tmpfs mode=1777,nosuid,nodev,size=64M 0 0
	tmpfs /var/tmp tmpfs mode=1777,nosuid,nodev,size=16M 0 0
	tmpfs /var/cache/croupier tmpfs mode=755,nosuid,nodev,noexec,size=32M 0 0
	tmpfs /var/log tmpfs mode=755,nosuid,nodev,noexec,size=16M 0 0
	tmpfs /var/lib/systemd tmpfs mode=755,nosuid,nodev,noexec,size=16M 0 0
	FSTAB
    mkdir -p "$root/etc/systemd/journald.conf.d" "$root/etc/systemd/system.conf.d"
    printf '[Journal]\nStorage=volatile\nRuntimeMaxUse=16M\n' >"$root/etc/systemd/journald.conf.d/croupier.conf"
    printf '[Manager]\nDefaultTimeoutStopSec=15s\n' >"$root/etc/systemd/system.conf.d/croupier.conf"
    cp "$here/croupier-clock" "$root/usr/local/sbin/"
    cp "$here/croupier-clock.service" "$root/etc/systemd/system/"
    inside systemctl enable --quiet croupier-clock.service systemd-networkd.service
    printf '[Match]\nName=e*\n[Network]\nDHCP=yes\n' >"$root/etc/systemd/network/80-cable.network"
    inside systemctl mask --quiet getty@tty1.service systemd-rfkill.service systemd-rfkill.socket apt-daily.timer apt-daily-upgrade.timer \
        systemd-binfmt.service proc-sys-fs-binfmt_misc.automount systemd-journal-flush.service systemd-update-utmp.service \
        systemd-update-utmp-runlevel.service systemd-pstore.service dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer systemd-networkd-wait-online.service
    [[ -e $root/etc/udev/rules.d/60-croupier.rules ]] ||
        printf 'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"\nKERNEL=="gpiochip*", GROUP="gpio", MODE="0660"\n' >"$root/etc/udev/rules.d/60-gpio.rules"
    echo croupier >"$root/etc/hostname"
    printf '127.0.0.1 localhost croupier\n::1 localhost\n' >"$root/etc/hosts"
    : >"$root/etc/machine-id"
    rm -f "$root/etc/resolv.conf" "$root/var/lib/dbus/machine-id"
    if [[ -n $ssh_key ]]; then
        install -d -m 700 "$home/.ssh"
        install -m 600 "$ssh_key" "$home/.ssh/authorized_keys"
        rm -f "$root"/etc/ssh/ssh_host_*
        # A key of the host's own lies with the journal, as the root is never written.
        printf 'HostKey /var/lib/croupier/.ssh-host-key\nPasswordAuthentication no\n' >"$root/etc/ssh/sshd_config.d/croupier.conf"
        mkdir -p "$root/etc/systemd/system/ssh.service.d"
        printf '[Unit]\nRequiresMountsFor=/var/lib/croupier\n[Service]\nExecStartPre=\nExecStartPre=/bin/sh -c "[ -e /var/lib/croupier/.ssh-host-key ] || ssh-keygen -q -t ed25519 -N \\"\\" -f /var/lib/croupier/.ssh-host-key"\n' \
            >"$root/etc/systemd/system/ssh.service.d/croupier.conf"
    fi
    # Compiled once and for all, or a read-only root would compile at every start.
    find "$root/opt/croupier" -name __pycache__ -prune -exec rm -rf {} +
    inside python3 -m compileall -q --invalidation-mode unchecked-hash -s / -p / /opt/croupier/firmware /opt/croupier/hal /opt/croupier/display \
        "/opt/croupier/.venv/lib/python$python/site-packages" || true
    rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root"/var/cache/ldconfig/* "$root"/var/cache/debconf/*-old "$home/.cache"
    rm -f "$root"/etc/{passwd,group,shadow,gshadow,subuid,subgid}-
    find "$root/dev" "$root/run" "$root/tmp" "$root/var/tmp" -mindepth 1 -delete 2>/dev/null || true
}
