# shellcheck shell=bash disable=SC2034
# The Debian packages that Strata Studio needs, and how to install what is missing.
# Sourced by run.sh and test.sh; runs nothing by itself.

strata_build_packages=(
    build-essential cmake ninja-build
    libdnnl-dev ocl-icd-opencl-dev  # oneDNN's CMake files ask for the OpenCL headers
    libhdf5-dev nlohmann-json3-dev libcli11-dev zlib1g-dev libjpeg-dev libpng-dev
    libopenmpi-dev openmpi-bin  # training in several processes
    dataset-fashion-mnist
)
strata_studio_packages=(
    qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools
    libqcustomplot-dev libqcustomplot2.1-qt6 libgl-dev
    libqt6svg6 qt6-wayland      # icon engine and platform plug-in, loaded at run time
    fonts-noto-core fonts-noto-mono
)
strata_test_packages=(libgtest-dev libgmock-dev python3 python3-venv)

# strata_say TEXT: one line of what the script does.
strata_say() { printf '== %s\n' "$*"; }

# strata_as_root COMMAND...: as root, with sudo where needed.
strata_as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# strata_apt ARGUMENT...: apt-get that asks nothing, waits for another apt, and shows its output only on failure.
strata_apt() {
    local log status=0
    log=$(mktemp)
    strata_as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
        -o Acquire::Retries=3 "$@" >"$log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

# strata_find_missing PACKAGE...: sets strata_missing to those that are not installed.
strata_find_missing() {
    local package status
    strata_missing=()
    for package in "$@"; do
        status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || strata_missing+=("$package")
    done
}

# strata_install PACKAGE...: installs those that are missing; asks the package lists anew only then.
strata_install() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This script installs Debian packages, and there is no dpkg here. See 'Building' in README.md." >&2
        return 1
    fi
    strata_find_missing "$@"
    if [ "${#strata_missing[@]}" -eq 0 ]; then
        strata_say "All $# packages are installed"
        return 0
    fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        printf 'Packages are missing, and installing them needs root rights or sudo. As root, run:\n  apt-get install %s\n' \
            "${strata_missing[*]}" >&2
        return 1
    fi
    strata_say "Installing ${#strata_missing[@]} packages: ${strata_missing[*]}"
    if ! strata_apt update; then
        echo "The package lists could not be renewed; going on with those that are here." >&2
    fi
    if ! strata_apt install -y --no-install-recommends "${strata_missing[@]}"; then
        echo "apt-get could not install the packages (its words are above). Debian 12 or newer is needed." >&2
        return 1
    fi
}

# strata_jobs: how many compilers may run at once: one a core, 1.5 GiB of free memory each.
strata_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    echo $((memory < cores ? memory : cores))
}

# strata_cuda_architectures: what to build the CUDA plug-in for on this machine: its GPUs, or one where there are none that
# it runs on. Drivers that do not tell the capability leave it to CMake.
strata_cuda_architectures() {
    local capabilities=
    if command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi -L >/dev/null 2>&1; then
        capabilities=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -dc '0-9\n') || true
        [ -n "$capabilities" ] || { echo native; return; }
        capabilities=$(echo "$capabilities" | awk '$1 >= 75' | sort -un | paste -sd ';')
    fi
    echo "${capabilities:-80}"
}
