#!/usr/bin/env bash
# Checks everything that a release needs, and builds it: packaging/release.sh --help says how.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

usage() {
    cat <<'END'
Usage: packaging/release.sh --dry-run [--no-tests]
       packaging/release.sh --tag

Builds the source distribution and the wheel into build/release/dist, both twice, and compares them byte by byte. Checks
the metadata, the content and the sizes, installs the wheel alone in a fresh environment and tries it there. Builds the
documentation, the program of the web pages and the extension for VS Code, and runs .ci/run.

  --dry-run    do all of this, and publish nothing
  --no-tests   leave out .ci/run
  --tag        do all of this, and then create the tag vVERSION; pushing it publishes
  -h, --help   show this help and exit

SDFVIEWER_ADDRESS is the address of the project for this build; pyproject.toml has the lasting one.
END
}

mode=''
tests=yes
for argument in "$@"; do
    case $argument in
        -h | --help)
            usage
            exit
            ;;
        --dry-run | --tag) mode=$argument ;;
        --no-tests) tests='' ;;
        *) refuse "there is no option '$argument'" ;;
    esac
done
[ -n "$mode" ] || refuse "--dry-run or --tag is needed"
[ "$mode" != --tag ] || [ -n "$tests" ] || refuse "--tag runs the tests"

cd "$repository"
install_program test
version=$("$python" -c 'import sdfviewer; print(sdfviewer.__version__)')
work=$repository/build/release
tools=$work/tools
dist=$work/dist

say "== Version $version everywhere"
grep -q "^  \"version\": \"$version\"," packaging/vscode/package.json || die "packaging/vscode/package.json has another version."
grep -q "^version: $version\$" CITATION.cff || die "CITATION.cff has another version."
grep -q "^## \[$version\]" CHANGELOG.md || die "CHANGELOG.md has no heading [$version]."
! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || die "The tag v$version is there already."
if [ "$mode" = --tag ]; then
    [ -z "$(git status --porcelain)" ] || die "Commit first: what is not committed is in no tag."
    grep -q '^address = "https' pyproject.toml || die "pyproject.toml does not say where the project is published."
fi

say "== Source distribution and wheel, twice"
rm -rf "$dist" "$work/again"
mkdir -p "$dist" "$work/again"
[ -x "$tools/bin/python" ] || "$(find_python)" -m venv --clear "$tools"
quietly "$tools/bin/python" -m pip install --quiet --disable-pip-version-check build twine check-wheel-contents
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# Both from the repository: the source distribution has no pictures for the manual.
quietly "$tools/bin/python" -m build --sdist --wheel --outdir "$dist" .
quietly "$tools/bin/python" -m build --sdist --wheel --outdir "$work/again" .
for built in "$dist"/*; do
    cmp "$built" "$work/again/$(basename "$built")" || die "A second build differs."
    say "  $(basename "$built"): $(($(wc -c <"$built") / 1000)) kB"
done
source_distribution=$dist/sdfviewer-$version.tar.gz
wheel=$dist/sdfviewer-$version-py3-none-any.whl
[ "$(wc -c <"$source_distribution")" -lt 3000000 ] || die "The source distribution has 3 MB or more."

say "== Metadata and content"
"$tools/bin/twine" check --strict "$dist"/* >&2
"$tools/bin/check-wheel-contents" "$wheel" >&2

say "== The wheel alone"
"$(find_python)" -m venv --clear "$work/alone"
quietly "$work/alone/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel"
(
    cd "$work" # not beside the package's folder
    arm=$repository/resources/examples/arm.sdf
    expect 0 "sdfviewer $version" "$work/alone/bin/sdfviewer" --version
    expect 0 "no problems found" "$work/alone/bin/sdfviewer" check "$arm"
    expect 0 "grasp" "$work/alone/bin/sdfviewer" frames "$arm"
    expect 0 "<robot" "$work/alone/bin/sdfviewer" convert --to urdf --allow-loss "$arm"
    expect 2 "sdfviewer[gui] @ file://" "$work/alone/bin/sdfviewer" "$arm"
)

say "== Pictures"
packaging/screenshots.sh --sizes

say "== Documentation, web pages, extension"
packaging/docs.sh
if command -v npm >/dev/null 2>&1; then
    packaging/page.sh --check
    packaging/vscode.sh
else
    say "npm was not found: the program of the web pages and the extension are not built."
fi

if [ -n "$tests" ]; then
    say "== .ci/run"
    .ci/run
fi

say "Everything that a release needs is in $dist"
if [ "$mode" = --tag ]; then
    git tag --annotate "v$version" --message "sdfviewer $version"
    say "The tag v$version is here. This publishes it: git push origin v$version"
fi
