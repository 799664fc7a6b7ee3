// Detects a device that discards sound. A device that takes more than real time and its buffer allow does not
// play it.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>

namespace parley {

class Allowance {
 public:
  explicit Allowance(double rate) : rate_(rate) {}

  // Sets how many samples a device may take at once. Call it before the first `take`.
  void setMost(size_t most) {
    most_ = most;
    left_ = static_cast<double>(most);
  }
  size_t most() const { return most_; }

  // Takes this many samples. Returns true if that is too fast, or was until a moment ago.
  bool take(size_t frames) {
    const Time now = Clock::now();
    left_ = std::min(static_cast<double>(most_), left_ + seconds(now - last_) * rate_ * faster);
    last_ = now;
    inStep_ = left_ >= static_cast<double>(most_);
    if (now < trustedUntil_) return false;
    const bool enough = left_ >= static_cast<double>(frames);
    left_ = enough ? left_ - static_cast<double>(frames) : 0;
    if (enough && now >= calmAt_) {
      // A trusted device gets the full allowance back.
      if (refusing_) left_ = static_cast<double>(most_);
      refusing_ = false;
      return false;
    }
    if (!refusing_) refusingSince_ = now;
    refusing_ = true;
    if (!enough) calmAt_ = now + calm;
    if (now - refusingSince_ < longest) return true;
    // Interrupted sound is better than permanent silence.
    refusing_ = false;
    trustedUntil_ = now + trusted;
    return false;
  }

  // Whether the device kept real time before the last `take`.
  bool inStep() const { return inStep_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;
  static double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }
  // Clocks are more accurate than that, and devices that discard are several times as fast.
  static constexpr double faster = 1.25;
  // Time for which a device must keep real time to be trusted again.
  static constexpr std::chrono::milliseconds calm{40};
  static constexpr std::chrono::seconds longest{3};
  static constexpr std::chrono::seconds trusted{10};

  const double rate_;
  size_t most_ = 0;
  double left_ = 0;
  Time last_ = Clock::now();
  bool inStep_ = true;
  bool refusing_ = false;
  Time calmAt_{};
  Time refusingSince_{};
  Time trustedUntil_{};
};

}  // namespace parley
