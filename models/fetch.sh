#!/bin/sh
# Download the sources of the language models: Debian 12 (bookworm) packages with translations, unpacked into DIR/root.
#
#   sh models/fetch.sh DIR && python3 models/texts.py DIR && python3 models/derive.py DIR src/detect/legacy/model.bin
#
# The model was derived from wesnoth-1.16-data 1:1.16.9-1, vlc-l10n 3.0.24-0+deb12u1, iso-codes 4.15.0-1 and
# libreoffice-l10n-* 4:7.4.7-1+deb12u14. DIR/versions lists the versions downloaded. The same versions give
# these SHA-256 sums:
#
#   c970646ae1a118f27221572765c663ac011e0fc401c68ff70e286e024ec6a86f  cat DIR/texts/*.txt
#   74b2516625fa280916b9cf947f29b87a4071d0628c9e0c41f58357a1902c2a4c  src/detect/legacy/model.bin
set -eu
. /etc/os-release
[ "$VERSION_CODENAME" = bookworm ] || { echo "this is $VERSION_CODENAME, not bookworm" >&2; exit 1; }
mkdir -p "$1/root"
cd "$1"
: >versions
l10n=$(for code in ar be bg br ca cs cy da de el eo es et fa fi fr ga he hr hu is it ja ka ko lt lv \
    mk nb nl pl pt pt-br ro ru sk sl sr sv th tr uk vi zh-cn zh-tw \
    af ast bs eu gd gl gug id kk kmr mn nn nr nso oc om rw ss st szl tg tn ts uz ve xh zu; do echo "libreoffice-l10n-$code"; done)
for package in wesnoth-1.16-data vlc-l10n iso-codes $l10n; do
    rm -f "${package}"_*.deb
    apt-get download -q -q "$package"
    dpkg-deb -W "${package}"_*.deb >>versions
    dpkg-deb --fsys-tarfile "${package}"_*.deb | tar -x -C root --wildcards '*.mo'
    rm "${package}"_*.deb
done
