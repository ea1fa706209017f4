#!/bin/sh
# Installs the Postroom executable for this machine from a folder with a release. docs/operations.md, "Install", describes it.
#
#   sh install.sh --url https://example.org/postroom/0.2.0
#   sh install.sh --help
#
# Everything is in functions that the last line calls, so that a download of this script that broke off does nothing.
set -eu

# The folder of the newest release; empty until the project has one. With an address that ends in /releases/latest/download,
# as on GitHub, --version reads the folder /releases/download/vVERSION.
default_url=''
# The public key with which releases are signed, as minisign prints it; empty until the project has one. It must be the
# same as in src/platform/update/release-key.ts.
default_key=''

say() { printf '%s\n' "$*" >&2; }

die() {
  say "install.sh: $*"
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

help() {
  cat <<'END'
Usage: sh install.sh [options]

Downloads the Postroom executable for this machine, verifies it, and puts it into ~/.local/bin.

  --url FOLDER          Address of the folder with the files of a release. Also: POSTROOM_RELEASE_URL.
  --version VERSION     Install this version, and no other.
  --prefix FOLDER       Install into FOLDER/bin (default: ~/.local). Root must name a prefix, such as /usr/local.
  --key KEY             Public key of minisign that signs the release. Also: POSTROOM_RELEASE_PUBLIC_KEY.
  --require-signature   Install nothing unless the signature was verified.
  --dry-run             Verify the list of checksums, and print what would be installed. Change nothing.
  --help                Print this text.

A release has a list of checksums (SHA256SUMS) and its signature (SHA256SUMS.minisig). The signature is verified with
minisign or OpenSSL 3. Without a key, or without one of these programs, only the checksum is verified, and the script says
so. The script runs as the user who starts it, and never asks for more rights.
END
}

# --- arguments -----------------------------------------------------------------------------------------------------------
read_arguments() {
  url=${POSTROOM_RELEASE_URL:-$default_url}
  key=${POSTROOM_RELEASE_PUBLIC_KEY:-$default_key}
  wanted='' prefix='' required=0 dry=0
  while [ $# -gt 0 ]; do
    case "$1" in
      --require-signature) required=1 ;;
      --dry-run) dry=1 ;;
      --help | -h)
        help
        exit 0
        ;;
      --url | --version | --prefix | --key)
        [ $# -ge 2 ] || die "$1 needs a value. Try --help."
        case "$1" in
          --url) url=$2 ;;
          --version) wanted=${2#v} ;;
          --prefix) prefix=$2 ;;
          --key) key=$2 ;;
        esac
        shift
        ;;
      *) die "unknown option $1. Try --help." ;;
    esac
    shift
  done
  [ -n "$url" ] || die 'there is no address for releases. Name the folder of a release with --url.'
  url=${url%/}
  case "$wanted" in *[!0-9A-Za-z.-]*) die "$wanted is not a version." ;; esac
  if [ -n "$wanted" ]; then
    case "$url" in */releases/latest/download) url="${url%/latest/download}/download/v$wanted" ;; esac
  fi
  case "$url" in
    https://*) schemes='=https' ;;
    http://127.* | http://localhost | http://localhost:* | http://localhost/* | 'http://[::1]'*) schemes='=http,https' ;;
    # Anyone on the way can change what http:// transports.
    http://*) schemes='=http,https' required=1 ;;
    *) die "$url is not an https:// address." ;;
  esac
}

find_folder() {
  if [ -z "$prefix" ]; then
    [ "$(id -u)" != 0 ] || die 'this is root. Postroom needs no such rights: run the script as another user. To install for all users, add --prefix /usr/local.'
    [ -n "${HOME:-}" ] || die 'HOME is not set. Name a folder with --prefix.'
    prefix=$HOME/.local
  fi
  case "$prefix" in /*) ;; *) prefix=$PWD/$prefix ;; esac
  bin=${prefix%/}/bin
}

# --- this machine --------------------------------------------------------------------------------------------------------
find_target() {
  system=$(uname -s) processor=$(uname -m)
  case "$system/$processor" in
    Linux/x86_64 | Linux/amd64) target=linux-x64 ;;
    Linux/aarch64 | Linux/arm64) target=linux-arm64 ;;
    Darwin/arm64) target=darwin-arm64 ;;
    Darwin/x86_64)
      # A shell under Rosetta reports the processor that it imitates.
      [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ] || die 'Postroom has no executable for Macs with an Intel processor.'
      target=darwin-arm64
      ;;
    *) die "Postroom has no executable for $system on $processor." ;;
  esac
  [ "$system" = Linux ] || return 0
  if (ldd --version 2>&1 || true) | grep -qi musl; then
    die 'this system uses musl, as Alpine does. Postroom needs glibc, as in Debian, Ubuntu or Fedora. Use the container image instead.'
  fi
  if [ "$target" = linux-x64 ] && ! grep -qw avx2 /proc/cpuinfo 2>/dev/null; then target=linux-x64-baseline; fi
}

# --- downloads -----------------------------------------------------------------------------------------------------------
# fetch NAME: downloads a file of the release into $work. Fails with a message in $why.
fetch() {
  why=''
  if have curl; then
    code=$(curl --proto "$schemes" -sSL --retry 2 --connect-timeout 20 -o "$work/$1" -w '%{http_code}' "$url/$1" 2>"$work/error") || {
      why=$(head -n 1 "$work/error")
      return 1
    }
    [ "$code" = 200 ] || { why="status $code" && return 1; }
  elif have wget; then
    wget -q -T 60 -O "$work/$1" "$url/$1" 2>"$work/error" || { why='wget failed, or the file does not exist' && return 1; }
  else
    die 'neither curl nor wget is installed.'
  fi
}

# sha256 FILE: prints the checksum.
sha256() {
  if have sha256sum; then sha256sum "$1" | cut -d ' ' -f 1
  elif have shasum; then shasum -a 256 "$1" | cut -d ' ' -f 1
  elif have openssl; then openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  else die 'none of sha256sum, shasum and openssl is installed.'; fi
}

# --- the signature -------------------------------------------------------------------------------------------------------
# Not every openssl can verify Ed25519 and compute BLAKE2b: LibreSSL and OpenSSL 1.1 cannot. It must accept the second example
# of RFC 8032 (7.1), and refuse it with another message.
openssl_can_verify() {
  have openssl || return 1
  public_key_of 3D4017C3E843895A92B70AA74D1B7EBC9C982CCF2EC4968CC0CD55F12AF4660C
  printf '%s' 'kqAJqfDUyrhyDoILX2QlQKKye1QWUD+Ps3YiI+vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA==' |
    openssl base64 -d -A >"$work/try.sig" 2>/dev/null || return 1
  printf 'r' >"$work/try" && printf 's' >"$work/other" || return 1
  verify_raw "$work/try" "$work/try.sig" && ! verify_raw "$work/other" "$work/try.sig" &&
    openssl dgst -blake2b512 -binary "$work/try" >/dev/null 2>&1
}

# public_key_of HEX: writes $work/key.der, a SubjectPublicKeyInfo (RFC 8410).
public_key_of() {
  hex="302A300506032B6570032100$1"
  : >"$work/key.der"
  while [ -n "$hex" ]; do
    rest=${hex#??}
    # shellcheck disable=SC2059  # the format is the byte
    printf "\\$(printf '%03o' "0x${hex%"$rest"}")" >>"$work/key.der"
    hex=$rest
  done
}

verify_raw() {
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key.der" -rawin -in "$1" -sigfile "$2" >/dev/null 2>&1
}

# bytes FILE FIRST COUNT: prints a part of a file.
bytes() { dd if="$1" bs=1 skip="$2" count="$3" 2>/dev/null; }

hex_of() { od -An -v -tx1 | tr -d ' \n' | tr abcdef ABCDEF; }

# decode TEXT FILE LENGTH: succeeds if TEXT is Base64 of LENGTH bytes.
decode() {
  printf '%s' "$1" | openssl base64 -d -A >"$2" 2>/dev/null && [ "$(wc -c <"$2" | tr -d ' ')" = "$3" ]
}

# The format: https://jedisct1.github.io/minisign/. Both the list and the trusted comment are signed.
verify_with_openssl() {
  signature=$work/SHA256SUMS.minisig
  decode "$key" "$work/key.bin" 42 || return 1
  decode "$(sed -n 2p "$signature" | tr -d '\r')" "$work/sig.bin" 74 || return 1
  decode "$(sed -n 4p "$signature" | tr -d '\r')" "$work/global.sig" 64 || return 1
  [ "$(bytes "$work/key.bin" 2 8 | hex_of)" = "$(bytes "$work/sig.bin" 2 8 | hex_of)" ] || return 1
  public_key_of "$(bytes "$work/key.bin" 10 32 | hex_of)"
  bytes "$work/sig.bin" 10 64 >"$work/own.sig"
  case "$(bytes "$work/sig.bin" 0 2)" in
    ED) openssl dgst -blake2b512 -binary "$work/SHA256SUMS" >"$work/signed" || return 1 ;;
    Ed) cp "$work/SHA256SUMS" "$work/signed" ;;
    *) return 1 ;;
  esac
  verify_raw "$work/signed" "$work/own.sig" || return 1
  sed -n 3p "$signature" | tr -d '\r\n' | sed 's/^trusted comment: //' | tr -d '\n' >"$work/comment"
  cat "$work/own.sig" "$work/comment" >"$work/all"
  verify_raw "$work/all" "$work/global.sig"
}

# Verifies the signature, or says what was not verified.
check_signature() {
  missing=''
  verifier=''
  if [ -z "$key" ]; then
    missing='there is no public key. Name it with --key'
  elif have minisign; then
    verifier=minisign
  elif openssl_can_verify; then
    verifier=openssl
  else
    missing='neither minisign nor OpenSSL 3 is installed'
  fi
  if [ -z "$verifier" ]; then
    [ "$required" = 0 ] || die "the signature cannot be verified: $missing. Nothing was installed."
    say "NOT VERIFIED: the signature of the release, because $missing."
    say 'Only the checksum is verified. It detects damage, but not a release that someone has replaced.'
    return 0
  fi
  fetch SHA256SUMS.minisig || die "the release has no signature ($why). Nothing was installed."
  case "$verifier" in
    minisign) minisign -V -q -P "$key" -m "$work/SHA256SUMS" -x "$work/SHA256SUMS.minisig" >/dev/null 2>&1 ;;
    openssl) verify_with_openssl ;;
  esac || die 'the signature of the release is wrong, or from another key. Nothing was installed.'
  say "The signature is correct ($verifier)."
}

# --- the release ---------------------------------------------------------------------------------------------------------
read_release() {
  fetch SHA256SUMS || die "there is no release at $url ($why)."
  check_signature
  version=$(sed -n 's/^[0-9a-f]\{64\} [ *]CHANGELOG-\([0-9A-Za-z.-]*\)\.md$/\1/p' "$work/SHA256SUMS")
  case "$version" in
    '' | *[!0-9A-Za-z.-]*) die 'the release does not name its version. Nothing was installed.' ;;
  esac
  [ -z "$wanted" ] || [ "$version" = "$wanted" ] || die "the release is version $version, not $wanted. Nothing was installed."
  expected=$(sed -n "s/^\\([0-9a-f]\\{64\\}\\) [ *]postroom-$target\$/\\1/p" "$work/SHA256SUMS")
  [ "${#expected}" = 64 ] || die "version $version has no executable for this machine (postroom-$target). Nothing was installed."
}

install_executable() {
  say "Downloading version $version for $target."
  fetch "postroom-$target" || die "the download failed ($why). Nothing was installed."
  [ "$(sha256 "$work/postroom-$target")" = "$expected" ] ||
    die 'the executable does not have the checksum of the release: it is damaged or incomplete. Nothing was installed.'
  chmod 755 "$work/postroom-$target"
  said=$("$work/postroom-$target" version 2>&1) || die "the executable does not start on this machine ($said). Nothing was installed."
  case "$said" in
    "postroom $version ("*) ;;
    *) die "the executable says that it is \"$said\" instead of version $version. Nothing was installed." ;;
  esac
  if [ -e "$bin/postroom" ]; then
    ln -f "$bin/postroom" "$bin/postroom.previous" 2>/dev/null || cp -p "$bin/postroom" "$bin/postroom.previous"
    say "The earlier executable is now $bin/postroom.previous."
  fi
  mv -f "$work/postroom-$target" "$bin/postroom"
}

explain() {
  say "Installed $bin/postroom, version $version."
  case ":$PATH:" in
    *":$bin:"*) program=postroom ;;
    *)
      program=$bin/postroom
      say "$bin is not in your PATH. To add it: PATH=\"$bin:\$PATH\""
      ;;
  esac
  say "Start:     $program serve --data ~/postroom"
  say "Uninstall: rm -f $bin/postroom $bin/postroom.previous    (your mail stays in the data folder)"
}

main() {
  read_arguments "$@"
  find_folder
  find_target
  umask 022
  if [ "$dry" = 1 ]; then
    work=$(mktemp -d)
  else
    mkdir -p "$bin" 2>/dev/null || true
    [ -w "$bin" ] || die "this user cannot write to $bin. Choose another folder with --prefix, or run the script as its owner."
    # In the same folder, so that a rename puts the executable in place.
    work=$(mktemp -d "$bin/.postroom-install.XXXXXX")
  fi
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  read_release
  if [ "$dry" = 1 ]; then
    say "Would install version $version for $target as $bin/postroom. Nothing was changed."
    return 0
  fi
  install_executable
  explain
}

main "$@"
