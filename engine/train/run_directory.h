// The directory that a run writes into: one run at a time, and one run alone. Used by the trainer.
#pragma once

#include <string>

#include "engine/io/file.h"

namespace strata::train {

// Held until destruction; the kernel lets go of it with the process.
class DirectoryLock {
public:
    // Throws Error{io} where another run holds it.
    void acquire(const std::string& directory);

private:
    io::FileDescriptor fd_;
};

// Whether a run of any process holds the directory now. Throws Error{not_found, io} where it cannot
// be opened.
bool is_run_active(const std::string& directory);

// A directory that holds a run is not written into by another one: its log and its best checkpoint
// would be of both. Throws Error{invalid_argument}.
void require_unused_directory(const std::string& directory);

}  // namespace strata::train
