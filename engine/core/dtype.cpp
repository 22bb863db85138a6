#include "engine/core/dtype.h"

#include <array>

#include "engine/core/error.h"

namespace strata {
namespace {

struct Row {
    DType type;
    std::size_t size;
    const char* name;
};

constexpr std::array<Row, 7> rows{{{DType::float32, 4, "float32"},
                                   {DType::float16, 2, "float16"},
                                   {DType::bfloat16, 2, "bfloat16"},
                                   {DType::float64, 8, "float64"},
                                   {DType::int32, 4, "int32"},
                                   {DType::int64, 8, "int64"},
                                   {DType::uint8, 1, "uint8"}}};

}  // namespace

std::size_t size_of(DType type) {
    return rows[static_cast<std::size_t>(type)].size;
}

const char* name_of(DType type) {
    return rows[static_cast<std::size_t>(type)].name;
}

DType dtype_from_name(std::string_view name) {
    for (const Row& row : rows)
        if (name == row.name) return row.type;
    throw Error(ErrorCode::invalid_argument, "unknown dtype '" + std::string(name) + "'", "dtype",
                "Use float32, bfloat16 or float16");
}

}  // namespace strata
