#!/bin/sh
# Which texts are the models made from? Debian packages with translations, unpacked into FOLDER/root.
#
#   sh models/fetch.sh FOLDER && python3 models/texts.py FOLDER && python3 models/derive.py FOLDER src/detect/legacy/model.bin
set -eu
mkdir -p "$1/root"
cd "$1"
l10n=$(for code in ar be bg br ca cs cy da de el eo es et fa fi fr ga he hr hu is it ja ko lt lv \
    mk nb nl pl pt pt-br ro ru sk sl sr sv th tr uk vi zh-cn zh-tw; do echo "libreoffice-l10n-$code"; done)
for package in wesnoth-1.16-data vlc-l10n iso-codes $l10n; do
    apt-get download -q -q "$package" || { echo "no package $package" >&2; continue; }
    for deb in "${package}"_*.deb; do
        dpkg-deb --fsys-tarfile "$deb" |
            tar -x -C root --wildcards '*.mo' 2>/dev/null || true
        rm "$deb"
    done
done
