// The error that a call must throw. Used by tests of every room of the engine.
#pragma once

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace strata::testing {

template <typename Call>
Error error_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "no error";
    return {ErrorCode::internal, ""};
}

}  // namespace strata::testing
