// Starts checkpoint_loop and reads what it says.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strata::faults {

class LoopProcess {
public:
    using Environment = std::vector<std::pair<std::string, std::string>>;

    LoopProcess(const std::string& directory, int width, int count,
                const Environment& environment = {});
    LoopProcess(const LoopProcess&) = delete;
    LoopProcess& operator=(const LoopProcess&) = delete;
    ~LoopProcess();  // kills it where it still runs

    // Lines that came within `milliseconds`; fewer where it has ended.
    void listen(int milliseconds);
    void kill();
    int wait();  // its exit status, -1 where a signal ended it; reads all

    const std::vector<std::string>& lines() const { return lines_; }
    // The update of the last "written" line, or 0.
    long long last_written() const;

private:
    bool read_more(int milliseconds);

    int pid_ = -1, output_ = -1;
    std::string partial_;
    std::vector<std::string> lines_;
};

}  // namespace strata::faults
