#include "runners/emulator/observation.hpp"

namespace cts::emulator {

Observation::Observation() : trace_(trace_from_environment()), profile_(profile_from_environment()) {}

Observation::OfLaunch Observation::start(const Launch& launch, const LaunchContext& context) {
  OfLaunch of;
  if (trace_ != nullptr && trace_->chooses(launch)) of.trace = trace_.get();
  if (profile_ != nullptr) {
    profile_->launched(context);
    of.profile = profile_.get();
  }
  return of;
}

Observers Observation::OfLaunch::observers(const LaunchContext& context) const {
  Observers all;
  if (trace != nullptr) all.push_back(trace->observer());
  if (profile != nullptr) all.push_back(profile->observer(context));
  return all;
}

void Observation::finish() {
  if (finished_.exchange(true)) return;
  if (trace_ != nullptr) trace_->finish();
  if (profile_ != nullptr) profile_->write();
}

} // namespace cts::emulator
