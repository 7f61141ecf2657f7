#include "runners/emulator/team.hpp"

#include <algorithm>

namespace cts::emulator {

Team::~Team() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  work_comes_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Team::run(unsigned helpers, const std::function<void()>& work) {
  if (helpers == 0) return work();
  Job job{work, helpers};
  std::list<Job*>::iterator place;
  {
    const std::scoped_lock lock(mutex_);
    while (threads_.size() < helpers) threads_.emplace_back([this] { help(); });
    place = jobs_.insert(jobs_.end(), &job);
  }
  work_comes_.notify_all();
  work();
  std::unique_lock lock(mutex_);
  jobs_.erase(place); // from here on no one joins
  helper_leaves_.wait(lock, [&] { return job.active == 0; });
}

void Team::help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto open = [](const Job* job) { return job->wanted > 0; };
    auto job = jobs_.end();
    work_comes_.wait(lock, [&] {
      job = std::find_if(jobs_.begin(), jobs_.end(), open);
      return ending_ || job != jobs_.end();
    });
    if (ending_) return;
    Job& joined = **job;
    --joined.wanted;
    ++joined.active;
    lock.unlock();
    joined.work();
    lock.lock();
    --joined.active;
    helper_leaves_.notify_all();
  }
}

} // namespace cts::emulator
