// Numbers as people read them, alone and with their nouns.
#include "engine/core/text.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(Text, CountsInTheSingularAndThePlural) {
    EXPECT_EQ(counted(1, "device"), "1 device");
    EXPECT_EQ(counted(0, "device"), "0 devices");
    EXPECT_EQ(counted(2, "device"), "2 devices");
    EXPECT_EQ(counted(60000, "sample"), "60,000 samples");
    EXPECT_EQ(counted(1, "batch", "batches"), "1 batch");
    EXPECT_EQ(counted(3, "batch", "batches"), "3 batches");
    EXPECT_EQ(counted(1, "file is", "files are"), "1 file is");
    EXPECT_EQ(counted(-1, "thread"), "-1 threads");
}

}  // namespace
}  // namespace strata
