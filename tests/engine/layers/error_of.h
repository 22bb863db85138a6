// The error that a call throws, for tests of messages.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/core/error.h"

namespace strata::testing {

// The strata::Error that `call` throws; a failure of the test and an empty error where it throws
// none.
template <typename Call>
Error error_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return {ErrorCode::internal, "", ""};
}

}  // namespace strata::testing
