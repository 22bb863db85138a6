#include "engine/train/resume_check.h"

#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/data/pipeline.h"
#include "engine/data/source.h"
#include "engine/parallel/launcher.h"

namespace strata::train {
namespace {

constexpr const char* batch_key = "data.pipeline.batch";
constexpr const char* replicas_key = "placement.replicas";
constexpr const char* window_key = "training.gradient_accumulation_steps";
constexpr std::int64_t most_replicas = 64;
const std::string set_back = "Set it back to go on with this run, or begin a new one";

// project[a][b]..., null where it is absent.
Json at(const Json& project, std::initializer_list<const char*> path) {
    Json place = project;
    for (const char* key : path) {
        if (!place.is_object() || !place.contains(key)) return Json();
        Json inner = place[key];
        place = std::move(inner);
    }
    return place;
}

Json without_directories(Json source) {
    for (const std::string& key : data::path_keys(source))
        if (source.contains(key) && source[key].is_string())
            source[key] = std::filesystem::path(source[key].get<std::string>()).filename().string();
    return source;
}

Json stage(const Json& project, const char* name) {
    for (const Json& entry : at(project, {"data", "pipeline"}))
        if (entry.is_object() && entry.value("stage", "") == name) return entry;
    return Json();
}

// The model without what changes no number: where its layers stand, and whether their outputs are
// kept or computed again.
Json computed_model(const Json& project) {
    Json model = at(project, {"model"});
    if (!model.is_object() || !model.contains("layers")) return model;
    for (Json& layer : model["layers"])
        for (const char* key : {"device", "recompute"})
            if (layer.is_object()) layer.erase(key);
    return model;
}

std::int64_t number_or(const Json& value, std::int64_t otherwise) {
    return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

std::int64_t pieces(std::int64_t whole, std::int64_t piece) {
    return (whole + piece - 1) / piece;
}

// How many samples are taken at a time, and by whom.
struct BatchSizes {
    explicit BatchSizes(const Json& project) {
        const Json entry = stage(project, "batch");
        batch_size = number_or(entry.is_object() ? entry.value("batch_size", Json()) : Json(),
                               data::PipelineOptions().batch_size);
        replicas = number_or(at(project, {"placement", "replicas"}), 1);
        own = batch_size * replicas;
        ranks = number_or(at(project, {"placement", "ranks"}), 1);
        window = number_or(at(project, {"training", "gradient_accumulation_steps"}), 1);
        const Json devices = at(project, {"placement", "devices"});
        lists_devices = devices.is_array() && !devices.empty();
        drops = entry.is_object() && entry.value("drop_remainder", Json(false)) == true;
    }
    std::int64_t together() const { return own * ranks; }
    // Of an epoch over so many rows.
    std::int64_t updates(std::int64_t rows) const {
        const std::int64_t batches = drops ? rows / together() : pieces(rows, together());
        return pieces(batches, window);
    }

    std::int64_t batch_size, replicas, ranks, window;
    bool drops;          // what is left of an epoch's rows
    bool lists_devices;  // for so many replicas and no others
    std::int64_t own;    // of a process, all its replicas
};

// By which another number of samples is taken at a time than before.
std::string key_of(const BatchSizes& before, const BatchSizes& now) {
    return before.ranks == now.ranks && before.batch_size == now.batch_size ? replicas_key
                                                                            : batch_key;
}

// With as many samples at a time or an update a run goes on with other devices. Where processes or
// copies of the model have gone or come, the batch of each may stay as it was.
bool may_follow(const BatchSizes& before, const BatchSizes& now) {
    return before.together() == now.together() ||
           before.together() * before.window == now.together() * now.window ||
           (before.own == now.own && before.ranks != now.ranks) ||
           (before.batch_size == now.batch_size && before.replicas != now.replicas);
}

// But for its size.
Json batch(const Json& project) {
    Json entry = stage(project, "batch");
    if (entry.is_object()) entry.erase("batch_size");
    return entry;
}

// What of the stage map decides about the samples: its layers, and whether a cache behind it keeps
// what they gave. On how many threads they run does not.
std::pair<Json, bool> augmentation(const Json& project) {
    bool mapped = false, frozen = false;
    for (const Json& entry : at(project, {"data", "pipeline"})) {
        const std::string name = entry.is_object() ? entry.value("stage", "") : "";
        mapped = mapped || name == "map";
        frozen = frozen || (mapped && name == "cache");
    }
    const Json map = stage(project, "map");
    return {map.is_object() ? map.value("layers", Json()) : Json(), frozen};
}

// How a run can go on that stands after sample `position` of an epoch: one process with other
// settings; several with the numbers of processes nearest to those of now, and with these.
class WaysOn {
public:
    WaysOn(const BatchSizes& before, const BatchSizes& now, std::int64_t position)
        : before_(before), now_(now), position_(position) {}

    std::string in_words() const {
        const bool alone = before_.ranks == 1 && now_.ranks == 1;
        const std::string ways = alone ? of_one_process() : of_processes();
        return ways.empty() ? set_back : "It can go on with: " + ways;
    }

private:
    std::string of_one_process() const {
        std::string ways;
        const auto add = [&](const std::string& key, std::int64_t value) {
            ways += (ways.empty() ? "" : "; ") + ("--set " + key + "=") + std::to_string(value);
        };
        const auto divides = [](std::int64_t part, std::int64_t whole) {
            return whole % part == 0;
        };
        const std::int64_t together = before_.together();
        if (!now_.lists_devices)
            for (const std::int64_t replicas : possible_replicas()) add(replicas_key, replicas);
        if (divides(now_.replicas, together))
            add(std::string(batch_key) + ".batch_size", together / now_.replicas);
        if (divides(now_.own, together * before_.window) && divides(now_.own, position_))
            add(window_key, together * before_.window / now_.own);
        return ways;
    }

    // Of batches of now: as many as take the samples of before and, where each of them takes what
    // it took, the nearest numbers of which a batch begins at the position.
    std::set<std::int64_t> possible_replicas() const {
        std::set<std::int64_t> possible;
        const std::int64_t same = before_.together() / now_.batch_size;
        if (same * now_.batch_size == before_.together() && same <= most_replicas)
            possible.insert(same);
        if (before_.batch_size != now_.batch_size) return possible;
        const auto begins = [&](std::int64_t replicas) {
            return position_ % (replicas * now_.batch_size) == 0;
        };
        std::int64_t fewer = now_.replicas - 1, more = now_.replicas + 1;
        while (fewer > 0 && !begins(fewer)) --fewer;
        while (more <= most_replicas && !begins(more)) ++more;
        if (fewer > 0) possible.insert(fewer);
        if (more <= most_replicas) possible.insert(more);
        return possible;
    }

    std::string of_processes() const {
        std::string ways;
        const auto add = [&](std::int64_t ranks) {
            const std::string way = way_with(ranks);
            if (!way.empty()) ways += (ways.empty() ? "" : "; ") + way;
            return !way.empty();
        };
        for (std::int64_t ranks = now_.ranks - 1; ranks > 0 && !add(ranks);) --ranks;
        const std::int64_t most = std::max(before_.together(), position_);
        for (std::int64_t ranks = now_.ranks + 1; ranks <= most && !add(ranks);) ++ranks;
        add(now_.ranks);
        return ways;
    }

    // "" where so many cannot.
    std::string way_with(std::int64_t ranks) const {
        std::string mpirun = parallel::start_command(ranks);
        if (before_.own == now_.own && position_ % (now_.own * ranks) == 0) return mpirun;
        const std::int64_t copies = ranks * now_.replicas;
        if (before_.together() % copies != 0) return {};
        return mpirun + " and --set data.pipeline.batch.batch_size=" +
               std::to_string(before_.together() / copies);
    }

    const BatchSizes &before_, &now_;
    std::int64_t position_;
};

}  // namespace

std::string first_difference(const Json& before, const Json& now) {
    if (!before.is_object()) return {};
    if (computed_model(before) != computed_model(now)) return "model";
    if (without_directories(at(before, {"data", "source"})) !=
        without_directories(at(now, {"data", "source"})))
        return "data.source";
    if (at(before, {"data", "validation_split"}) != at(now, {"data", "validation_split"}))
        return "data.validation_split";
    if (stage(before, "shuffle") != stage(now, "shuffle")) return "data.pipeline.shuffle";
    if (batch(before) != batch(now) || !may_follow(BatchSizes(before), BatchSizes(now)))
        return batch_key;
    if (augmentation(before) != augmentation(now)) return "data.pipeline.map";
    if (at(before, {"training", "ema"}).is_null() != at(now, {"training", "ema"}).is_null())
        return "training.ema";
    for (const char* key : {"seed", "loss", "metrics"})
        if (at(before, {"training", key}) != at(now, {"training", key}))
            return std::string("training.") + key;
    if (at(before, {"training", "optimizer", "type"}) != at(now, {"training", "optimizer", "type"}))
        return "training.optimizer.type";
    return {};
}

Error difference_error(const std::string& key, const checkpoint::TrainingState& state,
                       const Json& now) {
    const BatchSizes before(state.project), after(now);
    if (key != batch_key || batch(state.project) != batch(now))
        return {ErrorCode::invalid_argument,
                "the run was made with another " + key + " than the project has now", key,
                set_back};
    const bool processes = before.ranks > 1 || after.ranks > 1;
    return {ErrorCode::invalid_argument,
            "the run took " + counted(before.together(), "sample") + " at a time, and " +
                (processes ? counted(after.ranks, "process", "processes")
                           : counted(after.replicas, "replica")) +
                " of " + grouped(processes ? after.own : after.batch_size) + " would take " +
                grouped(after.together()),
            key_of(before, after),
            WaysOn(before, after, state.batch_in_epoch * before.together()).in_words()};
}

std::string compare_data(const Json& before, const Json& now) {
    if (!before.is_object()) return {};
    const auto text = [](const Json& identity, const char* key) {
        const Json value = identity.value(key, Json());
        return value.is_number_integer() ? grouped(value.get<std::int64_t>()) : value.dump();
    };
    for (const char* key : {"samples", "shape", "type", "classes"}) {
        if (before.value(key, Json()) == now.value(key, Json())) continue;
        throw Error(ErrorCode::invalid_argument,
                    std::string("the data are not those that the run was made with: ") + key +
                        " was " + text(before, key) + ", now " + text(now, key),
                    "data.source",
                    "Put the files of then back to go on with this run, or begin a new one; "
                    "`strata import` makes a project that starts from its weights");
    }
    if (before == now) return {};
    return "The data are not those that the run was made with: as many samples, with other "
           "content. It goes on with those of now";
}

std::string take_other_batches(checkpoint::TrainingState& state, const Json& now,
                               const EpochSize& epoch) {
    if (!state.project.is_object()) return {};
    const BatchSizes before(state.project), after(now);
    if (const std::int64_t updates = before.updates(epoch.rows); updates > 0) {
        const double clock = static_cast<double>(state.schedule_update()) *
                             static_cast<double>(epoch.updates) / static_cast<double>(updates);
        state.schedule_offset = std::llround(clock) - state.update;
    }
    const std::int64_t position = state.batch_in_epoch * before.together();
    if (before.together() == after.together()) return {};
    if (position >= epoch.samples)
        state.batch_in_epoch = epoch.batches;
    else if (position % after.together() == 0)
        state.batch_in_epoch = position / after.together();
    else
        throw Error(ErrorCode::invalid_argument,
                    "the run stands after sample " + grouped(position) +
                        " of the epoch, and batches of " + counted(after.together(), "sample") +
                        " would see some of them twice",
                    key_of(before, after), WaysOn(before, after, position).in_words());
    return "The run took " + counted(before.together(), "sample") + " at a time, and now takes " +
           grouped(after.together());
}

std::string other_scale(const Json& before, const Json& now) {
    if (!before.is_object()) return {};
    const Json scale = at(now, {"training", "scale_lr"});
    if (scale.is_null() || scale == "none") return {};
    const BatchSizes then(before), here(now);
    const std::int64_t copies = here.replicas * here.ranks;
    if (then.replicas * then.ranks == copies) return {};
    return "The learning rate is scaled for " + counted(copies, "replica") + " now; before, for " +
           grouped(then.replicas * then.ranks);
}

void drop_changed(checkpoint::LiveChanges& live, const Json& before, const Json& now) {
    const auto changed = [&](std::initializer_list<const char*> path) {
        return at(before, path) != at(now, path);
    };
    if (changed({"training", "clipping"})) live.clip_limit.reset();
    if (changed({"training", "optimizer", "config", "weight_decay"})) live.weight_decay.reset();
}

bool same_monitor(const Json& before, const Json& now) {
    const auto rule = [](const Json& project) {
        return std::pair(at(project, {"training", "checkpoint", "monitor"}),
                         at(project, {"training", "checkpoint", "mode"}));
    };
    return rule(before) == rule(now);
}

}  // namespace strata::train
