#!/bin/sh
# Makes certificates for a cluster of OpenSearch, in the current folder: certificates.sh HOST[,ALIAS...]...
#   ca.pem, ca.key        the cluster's own authority; ca.key is kept away from every node
#   HOST.pem, HOST.key    a node's, for its transport and for its HTTP
#   admin.pem, admin.key  for whoever makes users and roles; no node needs it
# What is there already stays; so a node is added later by the same authority.
set -eu
umask 077

signed() { # NAME SUBJECT EXTENSION
    [ ! -e "$1.pem" ] || return 0
    openssl req -newkey rsa:2048 -nodes -subj "$2" -addext "$3" -keyout "$1.key" -out "$1.csr" 2> /dev/null
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -days 825 -copy_extensions copy -out "$1.pem" 2> /dev/null
    rm "$1.csr"
}

[ -e ca.pem ] || openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/O=Stet/CN=authority" \
    -keyout ca.key -out ca.pem 2> /dev/null
signed admin "/O=Stet admin/CN=admin" "extendedKeyUsage=clientAuth"
for host in "$@"; do
    names=
    for each in $(echo "$host" | tr , ' '); do
        case "$each" in
            *[!0-9.]*) names=$names,DNS:$each ;;
            *) names=$names,IP:$each ;;
        esac
    done
    signed "${host%%,*}" "/O=Stet node/CN=${host%%,*}" "subjectAltName=${names#,}"
done
