#include "other_processes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "state.h"

namespace cuda_emulator {
namespace {

// What all have to say alike.
struct Header {
    int kind, type, op, root;
    std::size_t count;
};

Header header_of(const Call& call) {
    return {static_cast<int>(call.kind), static_cast<int>(call.type), static_cast<int>(call.op),
            call.root, call.count};
}

std::size_t given_bytes(const Call& call, std::size_t rank) {
    const std::size_t bytes = call.count * size_of(call.type);
    if (call.kind == Kind::reduce_scatter) return call.parts.size() * bytes;
    if (call.kind == Kind::broadcast && rank != static_cast<std::size_t>(call.root)) return 0;
    return bytes;
}

// Others see it whole or not at all.
void write_file(const std::string& path, const void* head, std::size_t head_bytes, const void* data,
                std::size_t bytes) {
    const std::string unfinished = path + ".unfinished";
    {
        std::ofstream file(unfinished, std::ios::binary);
        file.write(static_cast<const char*>(head), static_cast<std::streamsize>(head_bytes));
        file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
        if (!file.flush()) set_fault("no room for what a rank gives to the other processes");
    }
    std::rename(unfinished.c_str(), path.c_str());
}

}  // namespace

const std::string& shared_directory() {
    static const std::string directory = [] {
        const char* set = std::getenv("STRATA_EMULATED_PROCESSES");
        return std::string(set == nullptr ? "" : set);
    }();
    return directory;
}

OtherProcesses::OtherProcesses(const std::string& name, int size)
    : stem_(shared_directory() + "/" + name), size_(size) {}

std::string OtherProcesses::file_of(const std::string& what, std::size_t rank) const {
    return stem_ + "." + what + "." + std::to_string(rank);
}

void OtherProcesses::join(int rank) {
    here_.insert(static_cast<std::size_t>(rank));
    write_file(file_of("joined", static_cast<std::size_t>(rank)), "", 0, "", 0);
}

bool OtherProcesses::have_joined() const {
    for (int rank = 0; rank < size_; ++rank)
        if (!std::filesystem::exists(file_of("joined", static_cast<std::size_t>(rank))))
            return false;
    return true;
}

void OtherProcesses::give(const Call& call, std::size_t number, std::size_t rank) const {
    const Header header = header_of(call);
    write_file(file_of(std::to_string(number), rank), &header, sizeof header, call.parts[rank].from,
               given_bytes(call, rank));
}

bool OtherProcesses::take(Call& call, std::size_t number, std::size_t rank) const {
    std::ifstream file(file_of(std::to_string(number), rank), std::ios::binary);
    if (!file) return false;
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const Header own = header_of(call);
    const std::size_t wanted = sizeof own + given_bytes(call, rank);
    if (bytes.size() != wanted || std::memcmp(bytes.data(), &own, sizeof own) != 0)
        set_fault("ranks of a communicator make different calls");
    bytes.resize(wanted);
    std::vector<char>& given = call.given_elsewhere[rank];
    given.assign(bytes.begin() + sizeof own, bytes.end());
    call.parts[rank].from = given.data();
    return true;
}

void OtherProcesses::forget_far_behind(std::size_t number) const {
    constexpr std::size_t far = 64;
    if (number < far) return;
    for (const std::size_t rank : here_)
        std::filesystem::remove(file_of(std::to_string(number - far), rank));
}

}  // namespace cuda_emulator
