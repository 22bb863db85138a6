#!/usr/bin/env bash
# Installs what is missing, builds everything with warnings as errors into build/test, and runs all tests.
set -euo pipefail

case "${1:-}" in
    '') ;;
    --help | -h)
        echo "Usage: bash installer/test.sh"
        echo "Installs the Debian packages that are missing, builds with warnings as errors and runs all tests."
        exit 0 ;;
    *) echo "Usage: bash installer/test.sh" >&2; exit 2 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
build=$root/build/test
# shellcheck source=installer/dependencies.sh
source "$root/installer/dependencies.sh"

# Makes the Python environment of the Keras exchange tests once for each state of the list of packages.
# Prints the interpreter's path, or nothing where pip cannot get the packages.
make_python() {
    local folder=$build/python list=$root/tests/references/requirements-ci.txt
    if ! cmp -s "$list" "$folder/installed.txt"; then
        rm -rf "$folder"
        { /usr/bin/python3 -m venv "$folder" &&
            timeout 900 "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
                --only-binary :all: --requirement "$list" &&
            cp "$list" "$folder/installed.txt"; } >"$build/python.log" 2>&1 || return 0
    fi
    echo "$folder/bin/python"
}

# Prints the files that clang-format would change, and fails where there are any.
check_format() {
    local files changed
    mapfile -d '' files < <(find app engine kernels ui tests -type f \
        \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0)
    changed=$(clang-format --dry-run "${files[@]}" 2>&1 | sed -n 's/^\([^:]*\):[0-9].*\[-W.*/  \1/p' | sort -u)
    [ -z "$changed" ] || printf 'clang-format would change these files; run clang-format -i on them:\n%s\n' "$changed" >&2
    [ -z "$changed" ]
}

strata_install "${strata_build_packages[@]}" "${strata_studio_packages[@]}" "${strata_test_packages[@]}"
mkdir -p "$build"

python=$(make_python)
# What continuous integration promises must not fall out unseen: there the packages are asked for once more.
if [ -z "$python" ] && [ "${CI:-}" = true ]; then
    python=$(make_python)
    [ -n "$python" ] || { tail -5 "$build/python.log" >&2; echo "pip could not install keras, which CI needs" >&2; exit 1; }
fi
[ -n "$python" ] || strata_say "The Keras exchange tests are left out: pip could not install keras (see build/test/python.log)"

launcher=()
if command -v ccache >/dev/null 2>&1; then
    export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
strata_say "Building into build/test"
if ! cmake -G Ninja -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DSTRATA_WERROR=ON -DSTRATA_BUILD_TESTS=ON \
    -DSTRATA_BUILD_STUDIO=ON -DSTRATA_CUDA=AUTO -DSTRATA_CUDA_ARCHITECTURES=80 -DSTRATA_PYTHON="$python" \
    "${launcher[@]}" >"$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    exit 1
fi
cmake --build "$build" --parallel "$(strata_jobs)"

failed=()
# Another version of clang-format formats differently; 14 is Debian 12's.
if [[ "$(clang-format --version 2>/dev/null)" == *"version 14."* ]]; then
    strata_say "Checking the format"
    check_format || failed+=("the format (clang-format -i mends it)")
fi

strata_say "Running the tests"
export QT_QPA_PLATFORM=offscreen OMP_WAIT_POLICY=passive
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel 2 || failed+=("the tests")
# Last, so that a long list of tests does not hide it.
for part in "${failed[@]}"; do
    echo "Failed: $part" >&2
done
exit "$((${#failed[@]} > 0))"
