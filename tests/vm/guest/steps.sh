# What steps of stacks.py are made of; read by the guest's shell before each.
set -eu
# No udev runs here: dmsetup makes its files below /dev itself.
export DM_DISABLE_UDEV=1

# target: a ram disk as an NVMe drive of another machine, over TCP.
target() {
  cd /sys/kernel/config/nvmet
  mkdir subsystems/waltax subsystems/waltax/namespaces/1 ports/1
  echo 1 >subsystems/waltax/attr_allow_any_host
  echo waltax-tcp >subsystems/waltax/attr_serial
  echo /dev/ram1 >subsystems/waltax/namespaces/1/device_path
  echo 1 >subsystems/waltax/namespaces/1/enable
  echo ipv4 >ports/1/addr_adrfam
  echo tcp >ports/1/addr_trtype
  echo 127.0.0.1 >ports/1/addr_traddr
  echo 4420 >ports/1/addr_trsvcid
  ln -s /sys/kernel/config/nvmet/subsystems/waltax ports/1/subsystems/waltax
  echo nqn=waltax,transport=tcp,traddr=127.0.0.1,trsvcid=4420 >/dev/nvme-fabrics
  # The drive appears a moment later.
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    grep -qs waltax-tcp /sys/block/nvme*/device/serial && return
    sleep 1
  done
  grep . /sys/class/nvme/nvme*/state && return 1
}

# mapped FOLDER: fails unless the kernel maps its files into memory (STATX_ATTR_DAX).
mapped() {
  touch "$1/file"
  attributes=$(xfs_io -r -c 'statx -r' "$1/file" | sed -n 's/^stat.attributes = //p')
  [ $((attributes & 0x200000)) -ne 0 ] || { echo "$1/file: attributes $attributes"; return 1; }
}

# overlay FOLDER NAME [OPTION]: a stack whose upper layer is in FOLDER.
overlay() {
  mkdir -p "$1/lower" "$1/top" "$1/work" "/mnt/$2"
  mount -t overlay -o "lowerdir=$1/lower,upperdir=$1/top,workdir=$1/work${3:+,$3}" \
    overlay "/mnt/$2"
}
