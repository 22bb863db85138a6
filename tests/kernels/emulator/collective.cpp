#include "collective.h"

#include <cstring>

#include "watch.h"

namespace cuda_emulator {
namespace {

template <typename T>
void reduce(const Call& call, std::size_t begin, std::size_t count, std::vector<char>& result) {
    std::vector<T> sums(count);
    for (std::size_t r = 0; r < call.parts.size(); ++r) {
        const T* values = static_cast<const T*>(call.parts[r].from) + begin;
        for (std::size_t i = 0; i < count; ++i) {
            if (r == 0)
                sums[i] = values[i];
            else if (call.op == ncclMax)
                sums[i] = std::max(sums[i], values[i]);
            else
                sums[i] = static_cast<T>(sums[i] + values[i]);
        }
    }
    result.resize(count * sizeof(T));
    if (count > 0) std::memcpy(result.data(), sums.data(), result.size());
}

std::vector<char> reduced(const Call& call, std::size_t begin, std::size_t count) {
    std::vector<char> result;
    if (call.type == ncclFloat64)
        reduce<double>(call, begin, count, result);
    else if (call.type == ncclFloat32)
        reduce<float>(call, begin, count, result);
    else
        reduce<unsigned char>(call, begin, count, result);
    return result;
}

std::vector<char> copied(const void* from, std::size_t bytes) {
    const char* begin = static_cast<const char*>(from);
    return {begin, begin + bytes};
}

}  // namespace

std::size_t size_of(ncclDataType_t type) {
    return type == ncclFloat64 ? 8 : type == ncclFloat32 ? 4 : 1;
}

void perform(const Call& call) {
    const std::size_t bytes = call.count * size_of(call.type);
    std::vector<std::vector<char>> results(call.parts.size());
    switch (call.kind) {
        case Kind::all_reduce:
            std::fill(results.begin(), results.end(), reduced(call, 0, call.count));
            break;
        case Kind::reduce:
            results[static_cast<std::size_t>(call.root)] = reduced(call, 0, call.count);
            break;
        case Kind::broadcast:
            std::fill(results.begin(), results.end(),
                      copied(call.parts[static_cast<std::size_t>(call.root)].from, bytes));
            break;
        case Kind::reduce_scatter:
            for (std::size_t r = 0; r < results.size(); ++r)
                results[r] = reduced(call, r * call.count, call.count);
            break;
        case Kind::all_gather:
            for (const Part& part : call.parts) {
                const std::vector<char> own = copied(part.from, bytes);
                for (std::vector<char>& result : results)
                    result.insert(result.end(), own.begin(), own.end());
            }
            break;
        case Kind::transfer:
            results[1] = copied(call.parts[0].from, bytes);
            break;
    }
    for (std::size_t r = 0; r < results.size(); ++r) {
        if (results[r].empty() || call.parts[r].to == nullptr) continue;
        std::memcpy(call.parts[r].to, results[r].data(), results[r].size());
        mark(call.parts[r].to, results[r].size(), Byte::written);
    }
}

}  // namespace cuda_emulator
