#include "engine/io/hdf5_handle.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "engine/io/direct_file.h"
#include "engine/io/file.h"

namespace strata::io {
namespace {

// A recursive mutex would know its thread by a number that is another one in a forked child.
std::mutex library_mutex;
thread_local int times_held = 0;

// Nothing in the environment may make the library load code or use another driver.
void prepare_library() {
    static std::once_flag once;
    std::call_once(once, [] {
        for (const char* name : {"HDF5_PLUGIN_PATH", "HDF5_VOL_CONNECTOR", "HDF5_DRIVER",
                                 "HDF5_DRIVER_CONFIG", "HDF5_PLUGIN_PRELOAD"})
            ::unsetenv(name);
        // At the program's end the library would go once more through what a full disk left of a
        // file, and crash; everything that is whole is closed by then.
        H5dont_atexit();
        H5open();
        H5PLset_loading_state(0);
    });
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// The innermost entry of the library's error stack: where the fault began.
std::string innermost_error() {
    std::string text;
    const auto first = [](unsigned n, const H5E_error2_t* entry, void* data) -> herr_t {
        if (n == 0 && entry->desc) *static_cast<std::string*>(data) = entry->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first, &text);
    H5Eclear2(H5E_DEFAULT);
    return text;
}

int errno_in(const std::string& text) {
    constexpr std::string_view mark = "errno = ";
    const std::size_t at = text.find(mark);
    return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + mark.size());
}

Handle access_list() {
    Handle list(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fapl_sec2(list.get());
    H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(list.get(), false, true);
#endif
    return list;
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
    if (this != &other) {
        release();
        id_ = std::exchange(other.id_, -1);
    }
    return *this;
}

int Handle::release() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 ? 0 : H5Idec_ref(id);
}

Hdf5Lock::Hdf5Lock() {
    if (times_held == 0) library_mutex.lock();
    ++times_held;
    prepare_library();
}

Hdf5Lock::~Hdf5Lock() {
    if (active_ && --times_held == 0) library_mutex.unlock();
}

Hdf5File::Hdf5File(std::string path, bool writing) : path_(std::move(path)), writing_(writing) {}

Hdf5File Hdf5File::create(const std::string& path) {
    Hdf5File file(path, true);
    const Handle access = access_list();
    // Large data begin where a disk's block begins, so that they can be written past the page
    // cache.
    H5Pset_alignment(access.get(), aligned_from, DirectFile::block);
    // A failed write is told by the call that gives the values, not by a later close.
    H5Pset_sieve_buf_size(access.get(), 0);
    file.file_ = file.own(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()),
                          "create the file");
    return file;
}

Hdf5File Hdf5File::open(const std::string& path) {
    const InputFile probe(path);
    Hdf5File file(path, false);
    file.bytes_ = probe.size();
    if (H5Fis_hdf5(path.c_str()) <= 0) {
        H5Eclear2(H5E_DEFAULT);
        throw Error(ErrorCode::format, "is not an HDF5 file", path,
                    "Choose an .h5 file that Strata Studio or Keras has written");
    }
    const Handle access = access_list();
    file.file_ =
        file.own(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), "read the file's head");
    return file;
}

Handle Hdf5File::own(hid_t id, const std::string& action) const {
    check(id, action);
    return Handle(id);
}

void Hdf5File::check(long long status, const std::string& action) const {
    if (status >= 0) return;
    const std::string reason = innermost_error();
    if (const int number = errno_in(reason); number != 0) throw system_error(action, path_, number);
    if (writing_)
        throw Error(ErrorCode::io, "cannot " + action + (reason.empty() ? "" : " (" + reason + ")"),
                    path_);
    throw Error(ErrorCode::format,
                "is damaged: cannot " + action + (reason.empty() ? "" : " (" + reason + ")"), path_,
                "Download or copy the file again");
}

void Hdf5File::refuse(const std::string& object, const std::string& what) const {
    throw Error(ErrorCode::format, "'" + object + "' " + what, path_,
                "The file is not opened: get it from its author again, or save it anew with Keras");
}

void Hdf5File::close() {
    if (writing_) check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "write the file");
    check(file_.release(), "close the file");
}

}  // namespace strata::io
