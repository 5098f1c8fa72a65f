#!/bin/sh
# Makes a private authority and a certificate for each process, in the folder that is named: ca.pem for all of them,
# <process>.pem and <process>.key for each, ca.key for a safe. Run it again with the same folder for certificates of
# further processes, or to renew those that end soon. Needs openssl.
#
#   deploy/tls/make-certificates.sh <folder> [process …]
set -eu
umask 077
[ $# -ge 1 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
folder=$1
shift
[ $# -gt 0 ] || set -- gateway auth campaigns customers qualification webhooks operations promotions catalog
mkdir -p "$folder"
cd "$folder"

new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

if [ ! -f ca.key ]; then
  new_key ca.key
  openssl req -x509 -new -key ca.key -sha256 -days 3650 -subj '/CN=Scrip internal authority' -out ca.pem \
    -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign'
fi
for process; do
  new_key "$process.key"
  # Processes reach each other by addresses that change: the name says whose installation it is.
  {
    echo 'subjectAltName=DNS:scrip.internal'
    echo 'basicConstraints=critical,CA:FALSE'
    echo 'keyUsage=critical,digitalSignature'
    echo 'extendedKeyUsage=serverAuth,clientAuth'
  } > "$process.ext"
  openssl req -new -key "$process.key" -sha256 -subj "/CN=$process" -out "$process.csr"
  openssl x509 -req -in "$process.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -sha256 -days 397 \
    -extfile "$process.ext" -out "$process.pem" 2> /dev/null
  rm "$process.csr" "$process.ext"
done
# The images run as another user than the one who makes the files.
chmod 644 ca.pem
