#!/bin/sh
# Download the sources of the language models: Debian 12 (bookworm) packages with translations, unpacked into DIR/root.
#
#   sh models/fetch.sh DIR && python3 models/texts.py DIR && python3 models/derive.py DIR src/detect/legacy/model.bin
#
# The model was derived from wesnoth-1.16-data 1:1.16.9-1, vlc-l10n 3.0.24-0+deb12u1, iso-codes 4.15.0-1 and
# libreoffice-l10n-* 4:7.4.7-1+deb12u14. DIR/versions lists the versions downloaded. The same versions give
# these SHA-256 sums:
#
#   7e1e46956eb1ed681adb8c47ad18f196e56b61edcd2715a1ba93dd3cd56a308d  cat DIR/texts/*.txt
#   bf6cf2703f608009ad2db6051fd2a9e84c7cbe4b6bb26e4c64bc97b22af87666  src/detect/legacy/model.bin
set -eu
. /etc/os-release
[ "$VERSION_CODENAME" = bookworm ] || { echo "this is $VERSION_CODENAME, not bookworm" >&2; exit 1; }
mkdir -p "$1/root"
cd "$1"
: >versions
l10n=$(for code in ar be bg br ca cs cy da de el eo es et fa fi fr ga he hr hu is it ja ko lt lv \
    mk nb nl pl pt pt-br ro ru sk sl sr sv th tr uk vi zh-cn zh-tw \
    af ast bs eu gd gl gug id kk kmr mn nn nr nso oc om rw ss st szl tg tn ts uz ve xh zu; do echo "libreoffice-l10n-$code"; done)
for package in wesnoth-1.16-data vlc-l10n iso-codes $l10n; do
    rm -f "${package}"_*.deb
    apt-get download -q -q "$package"
    dpkg-deb -W "${package}"_*.deb >>versions
    dpkg-deb --fsys-tarfile "${package}"_*.deb | tar -x -C root --wildcards '*.mo'
    rm "${package}"_*.deb
done
