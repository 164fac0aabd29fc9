# What is put into the image's root beside Debian. Sourced by build.sh, whose $root, $work, $program and options it uses.
# Not responsible for what any cabinet gets: that is install.sh's, which is run in the root.

# Runs something in the root as if it were a machine of its own, with what it needs from here under /source and /wheels.
inside() {
    unshare --mount --fork --pid --kill-child /bin/sh -c '
        set -e
        root=$1 source=$2 wheels=$3
        shift 3
        mount -t proc proc "$root/proc"
        mount -t tmpfs -o mode=755 offered "$root/mnt"
        mkdir "$root/mnt/source" "$root/mnt/wheels"
        mount --bind "$source" "$root/mnt/source"
        mount --bind "$wheels" "$root/mnt/wheels"
        exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" "$@"
    ' sh "$root" "$work/source" "$wheels" "$@"
}

# The program as a clone has it, with what is new, and its signature if it was signed.
copy_of_program() {
    local names=() name
    if [[ -e $program/.git ]]; then # a clone of its own, and not a copy that lies in another one
        mapfile -d '' -t names < <(git -C "$program" ls-files -z --cached --others --exclude-standard -- . ':!tests' ':!.ci')
    else
        mapfile -d '' -t names < <(cd "$program" && find . -path ./tests -prune -o -path './.?*' -prune -o -name __pycache__ -prune -o -type f -print0)
    fi
    for name in manifest.json manifest.sig; do [[ ! -e $program/$name ]] || names+=("$name"); done
    for name in "${!names[@]}"; do [[ -e $program/${names[name]} ]] || unset "names[$name]"; done # deleted, and not yet committed
    printf '%s\0' "${names[@]}" | LC_ALL=C sort -uz | (cd "$program" && tar --null --files-from=- --owner=0 --group=0 --mode=go-w -cf -) | tar -C "$1" -xpf -
}

# What makes this root an image's: read-only, no logins, partitions by their names, nothing written but journal and versions.
furnish() {
    local home=$root/root
    mkdir -p "$root"/{etc/croupier/keys,boot/firmware,var/lib/croupier,var/cache/croupier,media/croupier-mirror,opt/croupier-versions}
    ln -sfn /boot/firmware/cabinet.toml "$root/etc/croupier/cabinet.toml"
    cat >"$root/etc/fstab" <<-FSTAB
	UUID=$root_uuid / ext4 ro,noatime 0 0
	UUID=C009-9135 /boot/firmware vfat ro,umask=022,x-systemd.device-timeout=5min 0 0
	UUID=$data_uuid /var/lib/croupier ext4 noatime,nosuid,nodev,noexec,data=ordered,commit=1,errors=remount-ro,x-systemd.growfs,x-systemd.device-timeout=5min 0 2
	UUID=$versions_uuid /opt/croupier-versions ext4 noatime,nosuid,nodev,errors=remount-ro,nofail,x-systemd.growfs,x-systemd.device-timeout=1min 0 2
	LABEL=croupier-mir /media/croupier-mirror ext4 noatime,nosuid,nodev,noexec,nofail,x-systemd.device-timeout=10s 0 2
	tmpfs /tmp tmpfs mode=1777,nosuid,nodev,size=64M 0 0
	tmpfs /var/tmp tmpfs mode=1777,nosuid,nodev,size=16M 0 0
	tmpfs /var/cache/croupier tmpfs mode=755,nosuid,nodev,noexec,size=32M 0 0
	tmpfs /var/log tmpfs mode=755,nosuid,nodev,noexec,size=16M 0 0
	tmpfs /var/lib/systemd tmpfs mode=755,nosuid,nodev,noexec,size=16M 0 0
	FSTAB
    mkdir -p "$root/etc/systemd/journald.conf.d"
    printf '[Journal]\nStorage=volatile\nRuntimeMaxUse=16M\n' >"$root/etc/systemd/journald.conf.d/image.conf"
    cp "$here/croupier-clock" "$root/usr/local/sbin/"
    cp "$here/croupier-clock.service" "$root/etc/systemd/system/"
    printf '[Match]\nName=e*\n[Network]\nDHCP=yes\n' >"$root/etc/systemd/network/80-cable.network"
    echo croupier >"$root/etc/hostname"
    printf '127.0.0.1 localhost croupier\n::1 localhost\n' >"$root/etc/hosts"
    : >"$root/etc/machine-id"
    rm -f "$root/etc/resolv.conf" "$root/var/lib/dbus/machine-id"
    ((${#keys[@]} == 0)) || install -m 644 -t "$root/etc/croupier/keys" "${keys[@]}"
    [[ -z $audit_token ]] || install -m 600 "$audit_token" "$root/etc/croupier/audit.token"
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
}

# The program by the installer, offline; then what it and Debian's packages leave behind is taken away.
install_program() {
    inside /mnt/source/systemd/install.sh --image --trim --display fb --wheels /mnt/wheels >&2
    ((${#keys[@]} == 0)) || inside /opt/croupier/croupier manifest verify >&2 || die "--key: the program is not as this key has signed it: ./croupier manifest make"
    inside systemctl enable --quiet croupier-clock.service systemd-networkd.service
    [[ -z $audit_token ]] || inside systemctl enable --quiet croupier-audit.service
    inside systemctl mask --quiet systemd-rfkill.service systemd-rfkill.socket systemd-binfmt.service proc-sys-fs-binfmt_misc.automount \
        systemd-journal-flush.service systemd-update-utmp.service systemd-update-utmp-runlevel.service systemd-pstore.service \
        dpkg-db-backup.timer e2scrub_all.timer fstrim.timer systemd-networkd-wait-online.service
    rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root"/var/cache/ldconfig/* "$root"/var/cache/debconf/*-old "$root/root/.cache"
    rm -f "$root"/etc/{passwd,group,shadow,gshadow,subuid,subgid}- "$root"/etc/.pwd.lock
    # The day on which a user was made is the commit's.
    sed -i "/^croupier:/s/:[0-9]*:/:$((SOURCE_DATE_EPOCH / 86400)):/" "$root/etc/shadow"
    find "$root/dev" "$root/run" "$root/tmp" "$root/var/tmp" -mindepth 1 -delete 2>/dev/null || true
}
