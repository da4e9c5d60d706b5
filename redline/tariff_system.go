package redline

import "strings"

// systemTable: devices, volumes, services and accounts of this machine.
var systemTable = []Program{
	{Name: "dd", Also: []string{"dcfldd", "pv-dd"}, Rows: []Row{
		{When: func(l *line) bool {
			for _, a := range l.args {
				if v, ok := strings.CutPrefix(a.text, "of="); ok && device(v) {
					return true
				}
			}
			return false
		}, kinds: irr, Why: "writes over a device", Charged: `dd if=/dev/zero of=/dev/sdb bs=1M count=8`, Free: `dd if=/dev/urandom of=fixtures/blob.bin bs=1k count=4`},
	}},
	{Name: "mkfs", Also: []string{"mkswap", "wipefs", "blkdiscard", "mkntfs", "mkdosfs", "newfs", "sgdisk", "sfdisk", "parted", "fdisk", "gdisk", "cfdisk", "zpool-labelclear"},
		Value: "-t -L -U -b -i -I -m -N -O -E -T -o --offset -l --label", Rows: []Row{
			{Not: "-n --no-act --dry-run -l --list -V --version -p --print", Target: some, When: func(l *line) bool {
				switch l.name {
				case "wipefs":
					return l.has("-a --all") || l.value1("-o --offset")
				case "sgdisk":
					return !l.has("-v --verify -i --info -b --backup")
				case "parted":
					for _, a := range l.ops {
						if either("rm|mklabel|mkpart|mktable|resizepart", a.text) {
							return true
						}
					}
					return false
				case "sfdisk":
					return !l.has("-d --dump -J --json")
				}
				return true
			}, kinds: irr, Why: "makes a new file system or table over what is there", Charged: `mkfs.ext4 -L df /dev/sdb1`, Free: `mkfs.ext4 -n /dev/sdb1`},
		}},
	{Name: "cryptsetup", Value: "-c --cipher -h -s --key-size -d --key-file --type", Rows: []Row{
		{Path: "luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey|reencrypt", kinds: irr, Why: "makes a volume unreadable", Charged: `cryptsetup luksFormat /dev/sdb1`, Free: `cryptsetup luksDump /dev/sdb1`},
	}},
	{Name: "lvremove", Also: []string{"vgremove", "pvremove", "lvreduce"}, Rows: []Row{
		{Not: "-t --test", Target: some, kinds: irr, Why: "removes a volume", Charged: `lvremove -f vg0/data`, Free: `lvremove --test vg0/data`},
	}},
	{Name: "zfs", Also: []string{"zpool", "btrfs"}, Rows: []Row{
		{Path: "destroy|rollback|labelclear", Not: "-n", kinds: irr, Why: "destroys a file system or its snapshots", Charged: `zfs destroy -r tank/old`, Free: `zfs destroy -n tank/old`},
		{Path: "subvolume delete", kinds: irr, Why: "deletes a subvolume", Charged: `btrfs subvolume delete /srv/old`, Free: `btrfs subvolume list /srv`},
	}},
	{Name: "mdadm", Rows: []Row{{With: "--zero-superblock --remove", kinds: irr, Why: "takes an array apart", Charged: `mdadm --zero-superblock /dev/sdb`, Free: `mdadm --detail /dev/md0`}}},
	{Name: "diskutil", Rows: []Row{
		{Path: "eraseDisk|eraseVolume|reformat|partitionDisk|secureErase|zeroDisk|randomDisk", kinds: irr, Why: "erases a disk", Charged: `diskutil eraseDisk APFS new disk2`, Free: `diskutil list`},
		{Path: "apfs deleteVolume|deleteContainer|deleteSnapshot", kinds: irr, Why: "deletes a volume", Charged: `diskutil apfs deleteVolume disk2s1`, Free: `diskutil apfs list`},
	}},
	{Name: "format", Style: slash, Rows: []Row{{When: func(l *line) bool { return len(l.ops) > 0 && drive(l.op(0)) }, kinds: irr, Why: "formats a drive", Charged: `cmd /c "format D: /q /y"`, Free: `cmd /c "format /?"`}}},
	{Name: "systemctl", Value: "-H --host -M --machine -t --type -p --property -s --signal --what", Rows: []Row{
		{Path: "clean|revert", Not: "--dry-run", kinds: irr, Why: "removes a unit's state or overrides", Charged: `systemctl clean --what=state app`, Free: `systemctl restart app`},
	}},
	{Name: "journalctl", Rows: []Row{{With: "--vacuum-size --vacuum-time --vacuum-files", kinds: irr, Why: "removes logs", Charged: `journalctl --vacuum-time=1s`, Free: `journalctl -u app`}}},
	{Name: "crontab", Value: "-u", Rows: []Row{
		{With: "-r", kinds: irr, Why: "removes the whole table", Charged: `crontab -r`, Free: `crontab -l`},
	}},
	{Name: "userdel", Also: []string{"deluser", "groupdel", "delgroup", "remove-localuser"}, Rows: []Row{
		{Target: some, kinds: irr, Why: "deletes an account", Charged: `userdel -r dev`, Free: `userdel --help`},
	}},
	{Name: "tmutil", Rows: []Row{{Path: "delete|deletelocalsnapshots|thinlocalsnapshots", kinds: irr, Why: "removes backups", Charged: `tmutil deletelocalsnapshots /`, Free: `tmutil listlocalsnapshots /`}}},
	{Name: "vssadmin", Also: []string{"wbadmin"}, Rows: []Row{{Path: "delete", kinds: irr, Why: "removes backups", Charged: `vssadmin delete shadows /all`, Free: `vssadmin list shadows`}}},
	{Name: "reg", Rows: []Row{{Path: "delete", kinds: irr, Why: "deletes registry keys", Charged: `reg delete HKCU\Software\Shop /f`, Free: `reg query HKCU\Software\Shop`}}},
	{Name: "remove-itemproperty", Also: []string{"remove-service", "remove-vm", "remove-website", "remove-azresourcegroup", "remove-aduser"}, Style: cmdlet, Rows: []Row{
		{Not: "-whatif", kinds: irr, Why: "removes for good", Charged: `Remove-VM -Name web -Force`, Free: `Remove-VM -Name web -WhatIf`},
	}},
	{Name: "defaults", Rows: []Row{{Path: "delete", kinds: irr, Why: "deletes settings", Charged: `defaults delete com.example.shop`, Free: `defaults read com.example.shop`}}},
}

// device reports whether a path is a block device or a disk rather than one of
// the devices that swallow or make data.
func device(s string) bool {
	s = slashes(s)
	if strings.HasPrefix(s, "//./") {
		return true
	}
	s, ok := strings.CutPrefix(s, "/dev/")
	if !ok {
		return false
	}
	switch s {
	case "null", "zero", "full", "random", "urandom", "stdout", "stderr", "stdin", "tty":
		return false
	}
	return !strings.HasPrefix(s, "fd/") && !strings.HasPrefix(s, "shm/") && !strings.HasPrefix(s, "pts/")
}
