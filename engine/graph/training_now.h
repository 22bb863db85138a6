// Whether this process trains, or waits for others that it started to. What is measured of the
// machine meanwhile tells of cores that have other work: it is kept apart, and measured anew when
// they are free. Told by who starts a run beside other work, asked by whatever measures.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace strata::graph {

// A training that goes on as long as this lives. Thread-safe.
class TrainingNow {
public:
    TrainingNow();
    ~TrainingNow();
    TrainingNow(const TrainingNow&) = delete;
    TrainingNow& operator=(const TrainingNow&) = delete;

    static bool any();
    static long begun();  // how many there were and are
};

// Whether anything has trained at some time since this was made.
class TrainingSince {
public:
    TrainingSince() : begun_(TrainingNow::begun()), trained_(TrainingNow::any()) {}
    bool any() const { return trained_ || TrainingNow::begun() != begun_; }

private:
    long begun_;
    bool trained_;
};

// What was measured, by what it was measured of: once while nothing trains, which counts from then
// on, and once beside a training. All answers live as long as this. Thread-safe.
template <typename Key, typename Value>
class Measurements {
public:
    // measure: makes a std::unique_ptr<Value>, with no other one at work.
    template <typename Measure>
    Value& of(const Key& key, Measure measure) {
        const std::lock_guard lock(mutex_);
        if (const auto it = free_.find(key); it != free_.end()) return *it->second;
        const TrainingSince since;
        if (const auto it = beside_.find(key); since.any() && it != beside_.end())
            return *it->second;
        std::unique_ptr<Value> value = measure();
        auto& all = since.any() ? beside_ : free_;
        return *all.try_emplace(key, std::move(value)).first->second;
    }

private:
    std::mutex mutex_;
    std::map<Key, std::unique_ptr<Value>> free_, beside_;
};

}  // namespace strata::graph
