// Owned HDF5 handles, and the one way in which the program opens and makes HDF5 files: no plug-ins,
// no drivers from the environment, no printing. Used by the Keras reader and writer, and by the
// data sources' reader.
#pragma once

// The functions and structures of HDF5 1.10 also where a later library is installed.
#define H5_USE_110_API
#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>

#include "engine/core/error.h"

namespace strata::io {

// Owns one reference to any HDF5 object; errors on release are ignored, see Hdf5File::close().
class Handle {
public:
    Handle() = default;
    explicit Handle(hid_t id) : id_(id) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
    Handle& operator=(Handle&& other) noexcept;
    ~Handle() { release(); }

    hid_t get() const { return id_; }
    int release();  // negative where HDF5 reports an error

private:
    hid_t id_ = -1;
};

// HDF5 is not made for threads here: who holds this is alone in the library. A thread may hold it
// more than once, so that it can keep others out while a child process uses the library.
class Hdf5Lock {
public:
    Hdf5Lock();
    Hdf5Lock(Hdf5Lock&& other) noexcept : active_(std::exchange(other.active_, false)) {}
    Hdf5Lock& operator=(Hdf5Lock&&) = delete;
    ~Hdf5Lock();

private:
    bool active_ = true;
};

// An open file, with the lock.
class Hdf5File {
public:
    // Datasets of so many bytes begin at a multiple of DirectFile::block in a file that is created.
    static constexpr std::uint64_t aligned_from = 64 << 10;

    // A new file at `path`. Failures are Error{io} with the words of the errno where there is one.
    static Hdf5File create(const std::string& path);
    // Read-only, without a file lock. Failures are Error{format}; Error{not_found, io} for the
    // file.
    static Hdf5File open(const std::string& path);

    hid_t id() const { return file_.get(); }
    const std::string& path() const { return path_; }
    std::uint64_t bytes() const { return bytes_; }  // of a file opened for reading

    // Takes what an HDF5 function returned; throws where that is negative. action: "write the
    // dataset 'a/b'".
    Handle own(hid_t id, const std::string& action) const;
    void check(long long status, const std::string& action) const;
    // Error{format} that says what is wrong with `object` of this file.
    [[noreturn]] void refuse(const std::string& object, const std::string& what) const;

    // Flushes and closes; the only way to know that a written file is whole.
    void close();

private:
    Hdf5File(std::string path, bool writing);

    Hdf5Lock lock_;
    std::string path_;
    bool writing_;
    std::uint64_t bytes_ = 0;
    Handle file_;
};

}  // namespace strata::io
