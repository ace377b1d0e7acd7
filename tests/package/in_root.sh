# shellcheck shell=bash
# tests/package/in_root.sh, for scripts here to read: processes that have a folder for their root file system.

# in_root FOLDER COMMAND...: runs COMMAND there. Who is not root may still be it in a namespace of users.
in_root() {
  if [ "$(id -u)" = 0 ]; then exec chroot "$@"; else exec unshare --map-root-user --root "$@"; fi
}

# serve_in_root FOLDER COMMAND...: starts a server there that writes /ready.json, and waits until it serves. Its process is
# $server.
serve_in_root() {
  rm -f "$1/ready.json"
  (in_root "$@") >"$1.out" 2>&1 &
  server=$!
  until [ -e "$1/ready.json" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$1.out" >&2; return 1; }
    sleep 0.01
  done
}

# address_of FOLDER SERVICE: host:port of the server in FOLDER, as its ready file says it.
address_of() { sed -n "s/.*\"$2\": *\"\([^\"]*\)\".*/\1/p" "$1/ready.json"; }

fail() { echo "$1" >&2; exit 1; }

# expect TEXT ACTUAL: TEXT must be in ACTUAL.
expect() { case $2 in *"$1"*) ;; *) fail "expected '$1' in: $2" ;; esac }
