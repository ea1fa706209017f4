#!/bin/sh
# Tests the executable in a bare Debian (debootstrap --variant=minbase, what a minimal container image is), alone, as an
# unprivileged user and without a network. Stands in for `docker run` where there is no Docker.
#
#   sudo test/minbase.sh [EXECUTABLE]        default dist/postroom; needs root, debootstrap, unshare, curl
#
# The Debian root (400 MB) is kept in ~/.cache/postroom-minbase and reused; remove it to rebuild it. It is outside the
# project, where editors and linters would scan it. MINBASE_SUITE selects the release.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
suite=${MINBASE_SUITE:-bookworm}
system="${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/postroom-minbase/$suite"
uid=10001 # as in the Dockerfile
port=8025

die() {
  printf 'minbase: %s\n' "$*" >&2
  exit 1
}

# --- inside the namespaces: own network with nothing but loopback, own mounts, own processes ------------------------------
if [ "${1:-}" = --inside ]; then
  system=$2
  ip link set lo up
  mount -t proc proc "$system/proc"
  # Only the executable and the image's settings. HOME is /data as in the Dockerfile, so that a stray file there is detected.
  set -- chroot --userspec="$uid:$uid" "$system" /usr/bin/env -i \
    HOME=/data PATH=/usr/bin:/bin POSTROOM_DATA=/data /usr/local/bin/postroom
  failed=

  echo '== version'
  "$@" version
  echo '== doctor'
  "$@" doctor || failed="$failed doctor"
  echo '== native libraries loaded from'
  ls "$system/data/cache/native"

  echo '== serve'
  log=$system/tmp/serve.log
  # A simple command, so that $! is the server itself: chroot and env replace themselves with it.
  "$@" serve --host 0.0.0.0 --port "$port" >"$log" 2>&1 &
  server=$!
  tries=0
  until curl -fsS -o /dev/null "http://127.0.0.1:$port/healthz" 2>/dev/null; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ] || ! kill -0 "$server" 2>/dev/null; then
      cat "$log" >&2
      die 'serve did not answer /healthz within 10 s'
    fi
    sleep 0.1
  done
  for expected in 200=/healthz 200=/readyz 200=/v1/openapi.json 401=/v1/accounts; do
    path=${expected#*=}
    status=$(curl -sS -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port$path" || true)
    printf '%s %s\n' "$status" "$path"
    [ "$status" = "${expected%%=*}" ] || failed="$failed $path"
  done
  echo '== health'
  "$@" health || failed="$failed health"

  echo '== stop'
  kill -TERM "$server"
  code=0
  wait "$server" || code=$?
  [ "$code" = 0 ] || failed="$failed exit-code-$code-after-SIGTERM"

  echo '== in /data, and written by it anywhere else'
  ls -A "$system/data"
  outside=$(find "$system" -xdev -user "$uid" -not -path "$system/data" -not -path "$system/data/*" -not -path "$system/proc/*")
  [ -z "$outside" ] || failed="$failed wrote $outside"
  [ ! -e "$system/data/.cache" ] || failed="$failed wrote-into-HOME"
  [ -z "$failed" ] || die "failed:$failed"
  echo 'minbase: all well'
  exit 0
fi

# --- outside ------------------------------------------------------------------------------------------------------------
executable=$(realpath -e -- "${1:-$root/dist/postroom}" 2>/dev/null) || die "no executable ${1:-dist/postroom}; run ./dev build"
[ "$(id -u)" = 0 ] || die 'needs root, for debootstrap and chroot'
for tool in debootstrap unshare curl ip; do
  command -v "$tool" >/dev/null 2>&1 || die "$tool is missing (packages debootstrap, util-linux, curl, iproute2)"
done

if [ ! -e "$system/.complete" ]; then
  rm -rf "$system"
  mkdir -p "$system"
  debootstrap --variant=minbase "$suite" "$system" >"$system.log" 2>&1 || die "debootstrap failed, see $system.log"
  touch "$system/.complete"
fi

# A new /data and a new copy each time.
rm -rf "$system/data" "$system/tmp/serve.log"
install -d -o "$uid" -g "$uid" -m 0700 "$system/data"
install -D -m 0755 "$executable" "$system/usr/local/bin/postroom"

echo "== system libraries that the embedded ones need, and the package each comes from"
for library in libstdc++.so.6 libgcc_s.so.1 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libc.so.6; do
  owner=$(chroot "$system" /usr/bin/dpkg -S "*/$library" 2>/dev/null | head -n 1 | cut -d: -f1)
  printf '%-18s %s\n' "$library" "${owner:-MISSING}"
done

exec unshare --net --mount --pid --fork --kill-child -- "$0" --inside "$system"
