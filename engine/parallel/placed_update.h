// The optimizer's step of a placed model, on all devices of all replicas and processes alike. Used
// by the placed executor.
#pragma once

#include <functional>
#include <vector>

#include "engine/parallel/gradient_exchange.h"
#include "engine/parallel/placed_model.h"
#include "engine/parallel/team.h"

namespace strata::parallel {

class PlacedUpdate {
public:
    // world: may be null.
    // samples_of: a replica's, in the window.
    PlacedUpdate(PlacedModel& model, Team& team, GradientExchange& exchange, DeviceGroups& groups,
                 Communicator* world, std::function<std::int64_t(int replica)> samples_of);

    // n: this process's samples. Adds up the gradients where the window's last batch has not.
    graph::UpdateResult run(std::int64_t n, ops::StepScalars scalars);

private:
    void exchange();
    graph::UpdateResult run_alone(std::int64_t n, ops::StepScalars scalars);
    graph::UpdateResult run_with_others(std::int64_t n, ops::StepScalars scalars);
    double own_squares(int replica, int device) const;
    graph::UpdateResult result(double squares, double n, const ops::StepScalars& scalars) const;
    std::span<float> weights(int replica, int device, const Share& share) const;
    void update_share(int replica, int device, const ops::StepScalars& scalars, double squares);
    void hand_out(int replica, int device, std::size_t part) const;
    void gather_weights(int replica, int device) const;
    // Over all copies of the device, those of the buckets from the first to the last, without it.
    void gather_by_group(int replica, int device, std::size_t first, std::size_t last) const;
    double own_samples() const;  // of all replicas, in the window
    // Each moving average times the replica's samples, added up over this process's replicas.
    std::vector<double> weighted_statistics(int replica, int device) const;
    void set_statistics(int replica, int device, std::span<const double> sums,
                        double samples) const;
    // ---- on the caller's thread
    void gather_from_others();
    void add_up_statistics_of_others();

    PlacedModel& model_;
    Team& team_;
    GradientExchange& exchange_;
    DeviceGroups& groups_;
    Communicator* world_;
    std::function<std::int64_t(int)> samples_of_;
    std::vector<double> squares_;                      // of each device of each replica
    std::vector<std::vector<double>> statistic_sums_;  // of each device, over replicas
};

}  // namespace strata::parallel
