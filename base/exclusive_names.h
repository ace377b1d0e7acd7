// base/exclusive_names.h: locks by name. One command at a time runs for each name.
//
// Threads: any.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vaquita {

class ExclusiveNames {
 public:
  // Releases the names when it is destroyed. The ExclusiveNames outlives it.
  class Hold {
   public:
    Hold(ExclusiveNames* owner, std::vector<std::string> names) : owner_(owner), names_(std::move(names)) {}
    Hold(Hold&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)), names_(std::move(other.names_)) {}
    Hold& operator=(Hold&&) = delete;
    ~Hold() {
      if (owner_ != nullptr) owner_->Release(names_);
    }

   private:
    ExclusiveNames* owner_;
    std::vector<std::string> names_;
  };

  // Waits until nobody holds any of `names`, and takes all at once, so that two callers cannot wait for each other.
  Hold Take(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::unique_lock lock(mutex_);
    released_.wait(lock, [&] {
      return std::none_of(names.begin(), names.end(), [this](const auto& name) { return held_.contains(name); });
    });
    held_.insert(names.begin(), names.end());
    return Hold(this, std::move(names));
  }

 private:
  void Release(const std::vector<std::string>& names) {
    std::lock_guard lock(mutex_);
    for (const std::string& name : names) held_.erase(name);
    released_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable released_;
  std::set<std::string> held_;
};

}  // namespace vaquita
