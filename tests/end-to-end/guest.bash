# SPDX-License-Identifier: Apache-2.0
# For the guest-*.sh tests: running what was built for arm64 on an emulated machine (tests/guest).
set -u
guest=$(realpath "$TESTS/../build/guest")
# With the folder named after the build, as `make CROSS=aarch64-linux-gnu-` does.
"$TESTS/guest/build" "$BUILD-aarch64" "$guest" || exit

# on_guest [OPTION...] <SCRIPT: as tests/guest/boot, with the console's text in console.txt.
on_guest()
{
	local status=0
	"$TESTS/guest/boot" "$guest" "$@" >console.txt 2>&1 || status=$?
	[ $status -eq 0 ] || { echo "on the guest: exit status $status"; tail -n 20 console.txt; }
	return $status
}
