#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make install` with PREFIX and DESTDIR: the programs of the installed tree find each other, also after the tree has moved, and the
# pkg-config file names the API's library. `make uninstall` leaves nothing behind that it brought, and what others put there.
set -eu
make -s -C "$TESTS/.." O="$BUILD" install DESTDIR="$PWD/stage" PREFIX=/opt/er-tools
# The build folder was named by its whole path here: make must know the objects by their one name all the same.
make -s -n -C "$TESTS/.." O="$BUILD" -W er_print/present/session/session.h V=1 all >remade
grep -q ' -o build[^ ]*/obj/er_print/present/views/code/objects_view.o ' remade || { head -n 5 remade; exit 1; }
for file in bin/collect bin/er_print lib/er-tools/libcollector.so share/man/man1/collect.1 share/man/man1/er_print.1 \
	share/man/man5/experiment.5 share/man/man3/libcollector.3 include/collectorAPI.h include/libfcollector.h \
	share/bash-completion/completions/er_print share/zsh/site-functions/_er_print \
	lib/libcollectorAPI.so lib/libcollectorAPI.a share/doc/er-tools/LICENSE; do
	[ -s "stage/opt/er-tools/$file" ] || { echo "$file is not installed"; exit 1; }
done
# Every licence that LICENSE names is there, where it says.
[ "$(grep -oE '[a-z_-]+/LICENSE' stage/opt/er-tools/share/doc/er-tools/LICENSE | sort -u | wc -l)" -eq 5 ]
for file in $(grep -oE '[a-z_-]+/LICENSE' stage/opt/er-tools/share/doc/er-tools/LICENSE | sort -u); do
	cmp "$TESTS/../$file" "stage/opt/er-tools/share/doc/er-tools/$file"
done
# As pkg-config reads it: variables, then fields.
file=stage/opt/er-tools/lib/pkgconfig/collectorAPI.pc
prefix=$(sed -n 's/^prefix=//p' $file) version=$(sed -n 's/^Version: //p' $file)
[ "$prefix" = /opt/er-tools ] && [[ "$("$BUILD/bin/collect" -V)" == *" $version "* ]] || { cat $file; exit 1; }
grep -qx 'Libs: -L${libdir} -lcollectorAPI' $file && grep -qx 'Cflags: -I${includedir}' $file || exit 1
cp -a stage/opt/er-tools "moved-tree"
echo mine >stage/opt/er-tools/share/man/man1/other.1
make -s -C "$TESTS/.." O="$BUILD" uninstall DESTDIR="$PWD/stage" PREFIX=/opt/er-tools
[ "$(cd stage && find . -type f -o -type l)" = ./opt/er-tools/share/man/man1/other.1 ] || { echo "left after uninstall:"; find stage; exit 1; }
[ ! -e stage/opt/er-tools/lib/er-tools ] && [ ! -e stage/opt/er-tools/share/doc ] || { echo "folders of ours are left"; exit 1; }
cmp "$BUILD/lib/libcollector.so" "moved-tree/lib/er-tools/libcollector.so"

cat >spin.sh <<'SCRIPT'
#!/bin/bash
for ((i = 0; i < 300000; i++)); do :; done
SCRIPT
chmod +x spin.sh
(PATH="$PWD/moved-tree/bin:/usr/bin:/bin" && collect -o test.1.er ./spin.sh && er_print -functions test.1.er >functions)
grep -q '<Total>' functions
grep -qF "library=$PWD/moved-tree/lib/er-tools/libcollector.so" test.1.er/settings ||
	{ echo "another library was used:"; grep library= test.1.er/settings; exit 1; }
