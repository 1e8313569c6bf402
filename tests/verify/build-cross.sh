#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Everything builds for arm64: libcollector with the cross C library alone, the tools and the target programs with the libraries
# of `make sysroot` where they are unpacked; and the er_print of that build reads an experiment of this machine under emulation
# (skid raw: it cannot disassemble the code of this one).
# limit: 400
set -eu
command -v aarch64-linux-gnu-gcc >/dev/null || { echo "no aarch64-linux-gnu-gcc"; exit 77; }
top=$(cd "$TESTS/.." && pwd)
sysroot=$top/build/sysroot-aarch64
arm="make -s -C $top CROSS=aarch64-linux-gnu- O=$PWD/arm CI=1"

# Without the sysroot: libcollector, which links the C library alone.
$arm -j2 SYSROOT=/nonexistent collector
readelf -h arm/lib/libcollector.so | grep -q 'Machine: *AArch64' || { echo "libcollector.so is not for arm64"; exit 1; }
needed=$(readelf -d arm/lib/libcollector.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
[[ $needed =~ ^libc\.so\.6\ (ld-linux-aarch64\.so\.1\ )?$ ]] || { echo "libcollector.so for arm64 needs: $needed"; exit 1; }

[ -e "$sysroot/complete" ] || { echo "libcollector only: \`make sysroot CROSS=aarch64-linux-gnu-\` was not run"; exit 77; }
$arm -j2 SYSROOT="$sysroot" all programs
for file in arm/bin/collect arm/bin/er_print; do
	readelf -h $file | grep -q 'Machine: *AArch64' || { echo "$file is not for arm64"; exit 1; }
done
command -v qemu-aarch64 >/dev/null || { echo "it builds, and was not run: no qemu-aarch64"; exit 77; }

# The C library of the cross compiler and the libraries of the sysroot, as one tree for the emulator.
mkdir -p root/lib root/usr/lib
cp -a /usr/aarch64-linux-gnu/lib/. root/lib/
cp -a "$sysroot"/usr/lib/aarch64-linux-gnu/*.so* root/lib/
[ ! -d "$sysroot/lib/aarch64-linux-gnu" ] || cp -a "$sysroot"/lib/aarch64-linux-gnu/*.so* root/lib/
"$BUILD/bin/collect" -o test.1.er /usr/bin/python3 -c 'print(sum(i * i for i in range(2000000)))' >/dev/null
"$BUILD/bin/er_print" -skid raw -metrics e.totalcpu:i.totalcpu:name -functions test.1.er >here
LC_ALL=C qemu-aarch64 -L root arm/bin/er_print -skid raw -metrics e.totalcpu:i.totalcpu:name -functions test.1.er >there
diff here there
[ "$(wc -l <here)" -gt 5 ]
