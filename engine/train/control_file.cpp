#include "engine/train/control_file.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "engine/core/error.h"
#include "engine/io/atomic_file.h"
#include "engine/io/bounded_reader.h"
#include "engine/train/live_settings.h"
#include "engine/train/project_keys.h"
#include "engine/train/run_directory.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto watch_every = 100ms, wait_every = 10ms;
constexpr std::uint64_t largest_file = 64 << 10;

fs::path file_of(const std::string& run_directory) {
    return fs::path(run_directory) / "control.json";
}

struct Flag {
    const char* key;
    bool ControlRequest::*member;
};
constexpr Flag flags[] = {{"pause", &ControlRequest::pause},
                          {"resume", &ControlRequest::resume},
                          {"step", &ControlRequest::step},
                          {"stop", &ControlRequest::stop},
                          {"save", &ControlRequest::save}};

struct Setting {
    const layers::ParamSpec& rule;
    std::optional<double> ControlRequest::*member;
};

const std::vector<Setting>& settings() {
    static const std::vector<Setting> all{{learning_rate_rule(), &ControlRequest::learning_rate},
                                          {clip_limit_rule(), &ControlRequest::clip_limit},
                                          {weight_decay_rule(), &ControlRequest::weight_decay}};
    return all;
}

// Whether the run's project as run clips; true where that cannot be read.
bool clips(const std::string& run_directory) try {
    const std::string file = (fs::path(run_directory) / "project.strata").string();
    const Json project = parse_json(io::read_text_file(file), file);
    return !project.at("training").value("clipping", Json()).is_null();
} catch (const std::exception&) {
    return true;
}

bool wait_until_gone(const fs::path& file, double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::error_code ignored;
    while (fs::exists(fs::symlink_status(file, ignored))) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(wait_every);
    }
    return true;
}

}  // namespace

Json control_to_json(const ControlRequest& request) {
    Json json = Json::object();
    for (const Flag& flag : flags)
        if (request.*flag.member) json[flag.key] = true;
    for (const Setting& setting : settings())
        if (request.*setting.member) json[setting.rule.key] = *(request.*setting.member);
    return json;
}

ControlRequest control_from_json(const Json& json, const std::string& where) {
    if (!json.is_object()) refuse("expected an object, found " + json.dump(), where);
    std::vector<std::string> known;
    for (const Flag& flag : flags) known.emplace_back(flag.key);
    for (const Setting& setting : settings()) known.push_back(setting.rule.key);
    refuse_unknown_keys(json, known, where);
    ControlRequest request;
    for (const Flag& flag : flags) request.*flag.member = get_bool(json, flag.key, false, where);
    for (const Setting& setting : settings()) {
        const std::string& key = setting.rule.key;
        if (json.find(key) == json.end()) continue;
        request.*setting.member =
            checked(setting.rule, get_number(json, key.c_str(), 0.0, where), where + ", " + key);
    }
    if (request.resume && (request.pause || request.step))
        refuse("a run cannot both pause and go on", where, "Ask for one of them");
    if (request.stop && (request.pause || request.resume || request.step))
        refuse(std::string("a run cannot both end and ") + (request.resume ? "go on" : "pause"),
               where, "Ask for one of them");
    if (control_to_json(request).empty()) refuse("nothing is asked for", where);
    return request;
}

void apply(const ControlRequest& request, Control& control) {
    if (request.learning_rate) control.set_learning_rate(*request.learning_rate);
    if (request.clip_limit) control.set_clip_limit(*request.clip_limit);
    if (request.weight_decay) control.set_weight_decay(*request.weight_decay);
    if (request.save) control.save();
    if (request.pause) control.pause();
    if (request.step) control.step();
    if (request.resume) control.resume();
    if (request.stop) control.stop();
}

void send_control(const std::string& run_directory, const ControlRequest& request, double seconds) {
    const fs::path file = file_of(run_directory);
    const Json json = control_to_json(request);
    control_from_json(json, "control");
    const auto require_active = [&] {
        if (!is_run_active(run_directory))
            throw Error(ErrorCode::not_found, "no run is active in this directory", run_directory,
                        "Start one with `strata train`, or name the directory of one that runs");
    };
    require_active();
    if (request.clip_limit && !clips(run_directory))
        throw Error(ErrorCode::invalid_argument,
                    "this run does not clip its gradients, so there is no limit to change",
                    run_directory, "Stop it, and go on with --resume --set training.clipping=...");
    if (!wait_until_gone(file, seconds))
        throw Error(ErrorCode::io, "the run has not yet taken an earlier request", file.string(),
                    "Try again; a run that the studio started is controlled there");
    io::write_file(file, pretty_json(json));
    if (wait_until_gone(file, seconds)) return;
    remove_control_file(run_directory);
    require_active();
    throw Error(ErrorCode::io, "the run did not take the request", run_directory,
                "It may be stopped, or busy reading its data; a run that the studio started is "
                "controlled there");
}

void remove_control_file(const std::string& run_directory) {
    std::error_code ignored;
    fs::remove(file_of(run_directory), ignored);
}

ControlWatch::ControlWatch(std::string run_directory, std::shared_ptr<Control> control)
    : directory_(std::move(run_directory)), control_(std::move(control)) {
    thread_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, watch_every, [this] { return ending_; })) look();
    });
}

ControlWatch::~ControlWatch() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

// The file is moved away before it is read: one that comes meanwhile is not lost.
void ControlWatch::look() try {
    const fs::path file = file_of(directory_);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return;
    const fs::path taken = file.string() + ".taken";
    fs::remove(taken, error);
    fs::rename(file, taken);
    std::string text;
    try {
        text = io::read_text_file(taken, largest_file);
    } catch (...) {
        fs::remove(taken, error);
        throw;
    }
    fs::remove(taken, error);
    apply(control_from_json(parse_json(text, "control.json"), "control.json"), *control_);
    last_warning_.clear();
} catch (const std::exception& error) {
    // One that stays, as in a directory that cannot be written, is told once.
    std::string warning = std::string("A request was not understood: ") + error.what();
    if (warning == last_warning_) return;
    last_warning_ = warning;
    control_->warn(std::move(warning));
}

}  // namespace strata::train
