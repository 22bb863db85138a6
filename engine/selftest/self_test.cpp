#include "engine/selftest/self_test.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/graph/runtime.h"
#include "engine/selftest/checks.h"

namespace strata::selftest {
namespace {

struct Group {
    const char* name;
    void (*check)(const Teller& teller);  // null: of several devices
};
constexpr Group groups[] = {{"layers", check_layers},         {"losses", check_losses},
                            {"optimizers", check_optimizers}, {"training", check_training},
                            {"memory", check_memory},         {"copies", check_copies},
                            {"speed", check_speed},           {"together", nullptr}};

void require_known(const Options& options) {
    for (const std::string& name : options.groups) {
        const std::vector<std::string>& all = group_names();
        if (std::find(all.begin(), all.end(), name) != all.end()) continue;
        std::string known;
        for (const std::string& each : all) known += (known.empty() ? "" : ", ") + each;
        throw Error(ErrorCode::invalid_argument, "there is no part '" + name + "' of the self-test",
                    "--only", "Parts: " + known);
    }
    for (std::size_t i = 0; i < options.devices.size(); ++i) {
        graph::runtime().open(options.devices[i], {});
        if (std::count(options.devices.begin(), options.devices.end(), options.devices[i]) > 1)
            throw Error(ErrorCode::invalid_argument, "is named twice", options.devices[i],
                        "Name each device once");
    }
}

}  // namespace

const char* name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::passed:
            return "pass";
        case Outcome::failed:
            return "FAIL";
        case Outcome::slow:
            return "slow";
        case Outcome::told:
            break;
    }
    return "-";
}

void Teller::line(const std::string& what, const std::string& precision,
                  const std::function<void(Line&)>& check) const {
    Line line{device_, group_, what, precision, Outcome::passed, {}, {}, {}};
    try {
        check(line);
    } catch (const Error& error) {
        fail(line, error.what());
    } catch (const std::bad_alloc&) {
        fail(line, "there is not enough memory");
    } catch (const std::exception& error) {
        fail(line, error.what());
    }
    tell_(line);
}

void fail(Line& line, std::string detail) {
    line.outcome = Outcome::failed;
    line.detail = std::move(detail);
}

const std::vector<std::string>& group_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Group& group : groups) all.emplace_back(group.name);
        return all;
    }();
    return names;
}

void self_test(const Options& options, const Tell& tell) {
    require_known(options);
    const auto wanted = [&](const std::string& name) {
        return options.groups.empty() || std::find(options.groups.begin(), options.groups.end(),
                                                   name) != options.groups.end();
    };
    for (const std::string& device : options.devices)
        for (const Group& group : groups)
            if (group.check != nullptr && wanted(group.name))
                group.check({device, group.name, tell});
    if (options.devices.size() > 1 && wanted("together"))
        check_together({options.devices.front(), "together", tell}, options.devices);
}

}  // namespace strata::selftest
