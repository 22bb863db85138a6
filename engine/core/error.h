// The one exception that the engine throws. Caught at the trainer's loop, the bridge and main().
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

enum class ErrorCode {
    invalid_argument,  // a value that the user gave is wrong
    not_found,         // a file, package, device or name does not exist
    io,                // reading or writing failed (disk full, no permission)
    format,            // a file is damaged, foreign or of a newer version
    out_of_memory,     // a device's memory limit is reached
    unsupported,       // a correct request that this build or device cannot serve
    interrupted,       // ended by a signal or a stop request
    numeric,           // NaN or Inf where training cannot go on
    internal           // a fault of the program
};

// what: the fault in the user's words. where: the file, layer, parameter ("layer 'hidden', units")
// or project key concerned, may be empty. hint: what to do about it, may be empty.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, std::string what, std::string where = {}, std::string hint = {});

    ErrorCode code() const { return code_; }
    const std::string& message() const { return message_; }
    const std::string& where() const { return where_; }
    const std::string& hint() const { return hint_; }

    // A copy with `where` put in front of the present one: "layer 'hidden', units".
    Error at(const std::string& where) const;

private:
    ErrorCode code_;
    std::string message_, where_, hint_;
};

}  // namespace strata
