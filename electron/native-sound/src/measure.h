// Tells a device that plays from one that takes sound and throws it away: nothing is heard faster than
// time goes by, so whoever takes more than that, and more than a device holds, does not play it.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>

namespace parley {

class Measure {
 public:
  explicit Measure(double rate) : rate_(rate) {}

  // How many samples can be taken at once and still be played. Before the first is.
  void setMost(size_t most) {
    most_ = most;
    allowed_ = static_cast<double>(most);
  }
  size_t most() const { return most_; }

  // Whether so many more are too many now, or were until a moment ago.
  bool exceeded(size_t frames) {
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    allowed_ = std::min(static_cast<double>(most_), allowed_ + seconds * rate_ * faster);
    if (allowed_ < static_cast<double>(frames)) {
      allowed_ = 0;
      until_ = now + calm;
    } else {
      allowed_ -= static_cast<double>(frames);
    }
    return now < until_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Two clocks are never quite the same.
  static constexpr double faster = 1.02;
  // For so long a device must have kept step before it is trusted again.
  static constexpr std::chrono::milliseconds calm{40};

  const double rate_;
  size_t most_ = 0;
  double allowed_ = 0;
  Clock::time_point last_ = Clock::now();
  Clock::time_point until_{};
};

}  // namespace parley
