// What is known of memory that is watched, byte by byte and word by word. Used by watch.cpp alone.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <vector>

#include "watch.h"

// The bounds of the module's variables that begin as zeros, from the linker. Static shared memory
// is among them: a section of its own is not to be had for the variables of templates.
extern "C" {
extern char __bss_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
}

namespace cuda_emulator {

inline constexpr std::size_t word = 4;

// Who touched a word last.
struct Access {
    std::uint64_t serial : 26;  // of the launch, or of the block where it is shared memory
    std::uint64_t thread : 24;
    std::uint64_t epoch : 8;    // barriers that its block had passed
    std::uint64_t mask : 4;     // bytes of the word
    std::uint64_t several : 1;  // threads of one block and epoch
    std::uint64_t blocks : 1;   // threads of several blocks
};
static_assert(sizeof(Access) == sizeof(std::uint64_t));

struct WordRecord {
    Access write, read;
};

// Memory that is watched, with what is known of it.
struct Region {
    std::uintptr_t base = 0;
    std::size_t size = 0;
    Byte* states = nullptr;
    WordRecord* records = nullptr;
    bool shared = false;
};

template <class T>
T* reserve(std::size_t count) {
    void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(memory);
}

// Pages of the module's variables that the device code has written: shared memory and nothing else,
// byte by byte, for the emulator's own variables lie between.
class StaticMemory {
public:
    struct Page {
        std::size_t number = 0;
        std::array<char, 256> bytes;
        std::array<Byte, 256> states;
        std::array<WordRecord, 256 / word> records;
    };
    static constexpr std::size_t page_bytes = 256;
    Region region;

    StaticMemory() {
        const auto begin = reinterpret_cast<std::uintptr_t>(__bss_start) / page_bytes * page_bytes;
        const std::size_t size = reinterpret_cast<std::uintptr_t>(_end) - begin + page_bytes;
        region = {begin, size, reserve<Byte>(size), reserve<WordRecord>(size / word), true};
        std::fill_n(region.states, size, Byte::unwritten);
        is_written_.resize(size / page_bytes);
    }
    static bool holds(std::uintptr_t address) {
        const auto begin = reinterpret_cast<std::uintptr_t>(__bss_start);
        return address - begin < reinterpret_cast<std::uintptr_t>(_end) - begin;
    }
    void note_write(std::size_t at, std::size_t bytes) {
        for (std::size_t page = at / page_bytes; page <= (at + bytes - 1) / page_bytes; ++page) {
            if (is_written_[page]) continue;
            is_written_[page] = true;
            written_.push_back(page);
        }
    }
    void clear() {
        for (const std::size_t page : written_) {
            is_written_[page] = false;
            for (std::size_t at = page * page_bytes; at < (page + 1) * page_bytes; ++at) {
                if (region.states[at] != Byte::written) continue;
                reinterpret_cast<unsigned char*>(region.base)[at] = 0xFF;
                region.states[at] = Byte::unwritten;
            }
        }
        written_.clear();
    }
    void keep(std::vector<Page>& pages) const {
        pages.resize(written_.size());
        for (std::size_t p = 0; p < pages.size(); ++p) {
            pages[p].number = written_[p];
            const std::size_t first = written_[p] * page_bytes;
            std::memcpy(pages[p].bytes.data(), reinterpret_cast<char*>(region.base) + first,
                        page_bytes);
            std::copy_n(region.states + first, page_bytes, pages[p].states.begin());
            std::copy_n(region.records + first / word, page_bytes / word, pages[p].records.begin());
        }
    }
    void bring_back(const std::vector<Page>& pages) {
        for (const Page& page : pages) {
            const std::size_t first = page.number * page_bytes;
            note_write(first, 1);
            for (std::size_t i = 0; i < page_bytes; ++i)
                if (page.states[i] == Byte::written)
                    reinterpret_cast<char*>(region.base)[first + i] = page.bytes[i];
            std::copy_n(page.states.begin(), page_bytes, region.states + first);
            std::copy_n(page.records.begin(), page_bytes / word, region.records + first / word);
        }
    }

private:
    std::vector<bool> is_written_;
    std::vector<std::size_t> written_;
};

// Of a block.
struct DynamicMemory {
    Region region;
    std::vector<Byte> states;
    std::vector<WordRecord> records;

    void place(void* base, std::size_t size) {
        if (states.size() < size) {
            states.resize(size);
            records.resize(size / word + 2);
        }
        std::fill_n(states.begin(), size, Byte::unwritten);
        std::memset(base, 0xFF, size);
        region = {reinterpret_cast<std::uintptr_t>(base), size, states.data(), records.data(),
                  true};
    }
};

}  // namespace cuda_emulator
