// Numbers as people read them, alone and with their nouns.
#include "engine/core/text.h"

#include <gtest/gtest.h>

#include "engine/core/time_text.h"

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

TEST(Text, ATimeHasThreeDigits) {
    EXPECT_EQ(time_text(4.627e-6), "4.63 µs");
    EXPECT_EQ(time_text(111.2e-6), "111 µs");
    EXPECT_EQ(time_text(12.34e-3), "12.3 ms");
    EXPECT_EQ(time_text(0.703e-3), "703 µs");
    EXPECT_EQ(time_text(1.2), "1.20 s");
    EXPECT_EQ(time_text(0.0), "0 s") << "nothing is no measurement";
}

}  // namespace
}  // namespace strata
