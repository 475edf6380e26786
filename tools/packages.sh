# Sourced by ./moorea and ./test: the Debian packages that the project needs, and their installation.
# docs/dependencies.md describes the purpose of each.

build_packages="g++ cmake ninja-build libboost-dev libcli11-dev libfmt-dev libgif-dev libhwloc-dev libjs-three libncurses-dev libpng-dev libtinyobjloader-dev libxbyak-dev libzstd-dev nlohmann-json3-dev opencl-c-headers zlib1g-dev"
test_packages="$build_packages ccache libgtest-dev clang clang-format libclang-rt-dev lld python3 python3-dev python3-selenium python3-venv golly munge slurm-wlm chromium chromium-driver ffmpeg libopenmpi-dev openmpi-bin pkg-config ocl-icd-libopencl1 oclgrind pocl-opencl-icd tmux"

# need_packages PACKAGE...: installs missing packages when root, otherwise prints the command that does and
# returns 1.
need_packages() {
  command -v dpkg-query >/dev/null || {
    echo "moorea: this is no Debian system; needed are, in Debian's names: $*" >&2
    return 0
  }
  local missing="" package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  if [ "$(id -u)" != 0 ]; then
    echo "moorea: some packages are missing; install them with" >&2
    echo "  sudo apt-get install -y --no-install-recommends$missing" >&2
    return 1
  fi
  echo "moorea: installing$missing" >&2
  local install="apt-get install -y -q --no-install-recommends"
  # The package lists of a fresh machine are empty or old
  # shellcheck disable=SC2086
  if ! DEBIAN_FRONTEND=noninteractive $install $missing >/tmp/moorea-packages.$$ 2>&1 </dev/null &&
     ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive $install $missing; } >/tmp/moorea-packages.$$ 2>&1 </dev/null; then
    cat /tmp/moorea-packages.$$ >&2
    rm -f /tmp/moorea-packages.$$
    echo "moorea: these packages could not be installed:$missing" >&2
    return 1
  fi
  rm -f /tmp/moorea-packages.$$
}
