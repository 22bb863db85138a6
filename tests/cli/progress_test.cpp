// The bar of a terminal: how far an epoch is, also in a run that goes on otherwise than it began.
#include "app/cli/progress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace strata::cli {
namespace {

constexpr std::int64_t samples = 576, epochs = 3;

class ProgressBar : public testing::Test {
protected:
    ProgressBar() {
        plan_.train_samples = samples;
        plan_.epochs = epochs;
    }
    // What is drawn of a step: `seen` samples of all epochs are behind it.
    std::string bar(std::int64_t update, std::int64_t epoch, std::int64_t seen) {
        std::rewind(out_.get());
        train::StepEvent step;
        step.update = update;
        step.epoch = epoch;
        step.samples = seen;
        tell(train::EpochEvent());  // the next bar is drawn at once
        const long begin = std::ftell(out_.get());
        tell(step);
        const long end = std::ftell(out_.get());
        std::fseek(out_.get(), begin, SEEK_SET);
        std::string text(static_cast<std::size_t>(end - begin), '\0');
        EXPECT_EQ(std::fread(text.data(), 1, text.size(), out_.get()), text.size());
        return text;
    }
    void plan(std::int64_t updates) {
        plan_.updates_per_epoch = updates;
        tell(plan_);
    }

    void tell(const train::Event& event) { progress_.show(event); }

    std::unique_ptr<std::FILE, int (*)(std::FILE*)> out_{std::tmpfile(), &std::fclose};
    Progress progress_{out_.get(), true};
    train::PlanEvent plan_;
};

TEST_F(ProgressBar, CountsTheUpdatesOfAnEpoch) {
    plan(36);
    EXPECT_NE(bar(1, 1, 16).find(" 1/36 "), std::string::npos);
    EXPECT_NE(bar(36, 1, samples).find(" 36/36 "), std::string::npos);
    EXPECT_NE(bar(37, 2, samples + 16).find(" 1/36 "), std::string::npos);
    EXPECT_NE(bar(40, 2, samples + 4 * 16).find(" 4/36 "), std::string::npos);
}

// 36 updates of 16 samples were the first epoch; now 9 of 64 are one.
TEST_F(ProgressBar, AfterAResumeWithLargerBatchesItStaysWithinTheEpoch) {
    plan(9);
    EXPECT_NE(bar(37, 2, samples + 64).find(" 1/9 "), std::string::npos);
    EXPECT_NE(bar(39, 2, samples + 3 * 64).find(" 3/9 "), std::string::npos);
    EXPECT_NE(bar(46, 3, 2 * samples + 64).find(" 1/9 "), std::string::npos);
}

// 9 updates were an epoch, and 36 are; the run stopped after 3 of the second one.
TEST_F(ProgressBar, AfterAResumeWithinAnEpochTheSamplesSayHowFarItIs) {
    plan(36);
    EXPECT_NE(bar(13, 2, samples + 3 * 64 + 16).find(" 13/36 "), std::string::npos);
    EXPECT_NE(bar(36, 2, 2 * samples).find(" 36/36 "), std::string::npos);
    EXPECT_NE(bar(37, 3, 2 * samples + 16).find(" 1/36 "), std::string::npos);
}

TEST(ProgressEnd, TheCommandThatGoesOnStartsAsManyProcesses) {
    setenv("OMPI_UNIVERSE_SIZE", "2", 1);
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::tmpfile(), &std::fclose);
    Progress progress(out.get(), false, 4);
    train::EndEvent end;
    end.state = train::RunState::stopped;
    end.checkpoint = end.run_directory = "/runs/one";
    progress.show(train::Event(end));
    unsetenv("OMPI_UNIVERSE_SIZE");
    std::rewind(out.get());
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), out.get()));
    EXPECT_NE(text.find("Go on with: mpirun --oversubscribe -np 4 strata train "
                        "/runs/one/project.strata --resume --run-dir /runs/one"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace strata::cli
