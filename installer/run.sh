#!/usr/bin/env bash
# Installs what is missing, builds, and opens the studio with the Fashion-MNIST example; where there is no
# display, trains the same example in the terminal.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: bash installer/run.sh [--headless] [--build-only] [--help]

Installs the Debian packages that are missing, builds Strata Studio and starts it with the Fashion-MNIST
example. Without a display the example is trained in the terminal.

  --headless     train in the terminal even where there is a display; does not build the studio
  --build-only   install and build, start nothing
  --help         show this text

Run it again at any time: it installs and builds only what has changed.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=installer/dependencies.sh
source "$root/installer/dependencies.sh"

headless=no
build_only=no
for argument in "$@"; do
    case "$argument" in
        --headless) headless=yes ;;
        --build-only) build_only=yes ;;
        --help | -h) usage; exit 0 ;;
        *) printf 'Unknown option: %s\n\n' "$argument" >&2; usage >&2; exit 2 ;;
    esac
done

build=$root/build/release
studio=ON
[ "$headless" = no ] || studio=OFF

packages=("${strata_build_packages[@]}")
[ "$studio" = OFF ] || packages+=("${strata_studio_packages[@]}")
strata_install "${packages[@]}"

[ -e "$build/build.ninja" ] || strata_say "Building for the first time: this takes some minutes"
mkdir -p "$build"
if ! (cd "$root" && cmake --preset release -DSTRATA_BUILD_STUDIO="$studio" \
    -DSTRATA_CUDA_ARCHITECTURES="$(strata_cuda_architectures)") >"$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    echo "Configuring failed (above). If packages were changed since the last build, remove $build and try again." >&2
    exit 1
fi
cmake --build "$build" --parallel "$(strata_jobs)"
[ "$build_only" = no ] || { strata_say "Built: $build/bin"; exit 0; }

example=$root/resources/examples/fashion-mnist-classic.strata
if [ "$headless" = no ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    strata_say "Starting the studio with the Fashion-MNIST example"
    exec "$build/bin/strata-studio" "$example"
fi
[ "$headless" = yes ] || strata_say "There is no display (DISPLAY and WAYLAND_DISPLAY are empty), so no window"
strata_say "Training the Fashion-MNIST example in the terminal"
exec "$build/bin/strata" train "$example" --run-dir "$root/runs/$(date +%Y%m%d-%H%M%S)-fashion-mnist-classic"
