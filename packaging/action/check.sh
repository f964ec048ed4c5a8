#!/usr/bin/env bash
# Annotates problems and writes SARIF. Variables: FILES, STRICT, SARIF, BASELINE. Works with bash 3.2 of macOS.
# The files are those of whoever wrote the pull request: no name of one is an option, and no link of it is written through.
set -uo pipefail

options=()
[ "${STRICT:-false}" != true ] || options=(--strict)
[ -z "${BASELINE:-}" ] || options+=("--baseline=$BASELINE")
rm -f -- "${SARIF:-sdfviewer.sarif}"
# FILES holds several words on purpose.
# shellcheck disable=SC2086
sdfviewer check --sarif ${options[@]+"${options[@]}"} -- ${FILES:-.} >"${SARIF:-sdfviewer.sarif}" 2>/dev/null
# shellcheck disable=SC2086
sdfviewer check --output-format github ${options[@]+"${options[@]}"} -- ${FILES:-.}
