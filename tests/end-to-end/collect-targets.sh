#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Targets that cannot be recorded get one clear line and no experiment: static, other class or machine, set-user-id, with
# file capabilities, of another C library; and what looks like one of them but can be recorded runs.
set -u
collect=$BUILD/bin/collect
fail()
{
	echo "$*"
	exit 1
}
refused()
{
	local pattern=$1
	shift
	"$@" >out 2>err && fail "$*: status 0"
	[ "$(wc -l <err)" -eq 1 ] || fail "$*: $(cat err)"
	grep -q "^collect: $pattern" err || fail "$*: $(cat err)"
	ls -d -- *.er 2>/dev/null && fail "$*: an experiment was left"
	return 0
}
echo 'int main(void) { return 4; }' >program.c
gcc -o dynamic program.c || exit 1
gcc -static -o static program.c 2>/dev/null || { echo "no static C library"; exit 77; }
gcc -static-pie -o static-pie program.c
refused "Target executable \`./static' must be built with shared libraries" "$collect" ./static
[ ! -e static-pie ] || refused "Target executable \`./static-pie' must be built with shared libraries" "$collect" ./static-pie
printf '#!%s/static\n' "$PWD" >script
chmod +x script
refused "Interpreter of target \`./script': Target executable \`$PWD/static' must be built with shared libraries" "$collect" ./script

# A header of another class, another machine, another loader, cut short.
cp dynamic class32
printf '\001' | dd of=class32 bs=1 seek=4 conv=notrunc 2>/dev/null
refused "Target architecture of executable \`./class32' is not supported on this machine" "$collect" ./class32
cp dynamic machine
printf '\026\000' | dd of=machine bs=1 seek=18 conv=notrunc 2>/dev/null
refused "Target architecture of executable \`./machine' is not supported on this machine" "$collect" ./machine
gcc -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1 -o musl program.c
refused "Target executable \`./musl' needs the dynamic loader /lib/ld-musl-x86_64.so.1" "$collect" ./musl
head -c 80 dynamic >cut
chmod +x cut
refused "Target \`./cut' is not a valid ELF executable" "$collect" ./cut

# More privileges than the caller: not for root, not where the bit has no effect.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	$nobody test -r "$collect" || { echo "another user cannot run $collect"; exit 77; }
	# The tests' own folder may be closed to others.
	open=$(mktemp -d /tmp/er-tools-targets.XXXXXX)
	trap 'rm -rf "$open"' EXIT
	chmod 777 "$open"
	cp dynamic "$open"
	cd "$open" || exit 1
	install -m 4755 dynamic setuid
	refused "Target executable \`./setuid' is setuid: it cannot be recorded by this user" $nobody "$collect" ./setuid
	install -m 2755 dynamic setgid
	refused "Target executable \`./setgid' is setgid: it cannot be recorded by this user" $nobody "$collect" ./setgid
	if command -v setcap >/dev/null && install -m 755 dynamic capable && setcap cap_net_raw+ep capable 2>/dev/null; then
		refused "Target executable \`./capable' gains capabilities" $nobody "$collect" ./capable
	fi
	$nobody --no-new-privs "$collect" -O /dev/null ./setuid
	[ $? -eq 4 ] || fail "a set-user-id program that gains nothing did not run"
	"$collect" -O /dev/null ./setuid
	[ $? -eq 4 ] || fail "root's own set-user-id program did not run"
	install -m 711 dynamic unreadable
	$nobody "$collect" -O /dev/null ./unreadable
	[ $? -eq 4 ] || fail "a program that cannot be read did not run"
	cd "$OLDPWD" || exit 1
fi

# AddressSanitizer's run-time wants to be the first library; it is told to let us pass.
rm -rf -- *.er
if gcc -fsanitize=address -o sanitized program.c 2>/dev/null && ./sanitized; [ $? -eq 4 ]; then
	ASAN_OPTIONS=detect_leaks=0 "$collect" -O /dev/null ./sanitized
	[ $? -eq 4 ] || fail "a program with AddressSanitizer did not run"
	"$collect" -O /dev/null sh -c 'exit ${ASAN_OPTIONS:+9}'
	[ $? -eq 0 ] || fail "ASAN_OPTIONS was set for a program without AddressSanitizer"
fi

# Faults that only execve finds.
rm -rf -- *.er
gcc -Wl,--dynamic-linker=/nosuch/"$(basename "$(readelf -p .interp dynamic | sed -n 's/.*] *//p')")" -o noloader program.c
"$collect" -g runs.erg ./noloader 2>err
[ $? -eq 1 ] || fail "a failed exec: status"
grep -qx 'collect: execvp of ./noloader failed: No such file or directory' err || fail "$(cat err)"
ls -d -- *.er 2>/dev/null && fail "an experiment was left by a failed exec"
[ "$(cat runs.erg)" = '#analyzer experiment group' ] || fail "the group has a member that does not exist"
exit 0
