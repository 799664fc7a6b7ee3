// Detects a device that discards sound: it takes samples faster than it could play or buffer them.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>

namespace parley {

class Allowance {
 public:
  explicit Allowance(double rate) : rate_(rate) {}

  // Sets how many samples a device may take at once. Call it before the first `take`.
  void setLimit(size_t limit) {
    limit_ = limit;
    available_ = static_cast<double>(limit);
  }
  size_t limit() const { return limit_; }

  // The device takes this many samples. Returns true while it takes them too fast, and until it has kept real
  // time for `calmTime`; after `maxRefusal`, false.
  bool take(size_t frames) {
    const Time now = Clock::now();
    available_ = std::min(static_cast<double>(limit_), available_ + seconds(now - last_) * rate_ * maxSpeed);
    last_ = now;
    keptRealTime_ = available_ >= static_cast<double>(limit_);
    if (now < trustedUntil_) return false;
    const bool enough = available_ >= static_cast<double>(frames);
    available_ = enough ? available_ - static_cast<double>(frames) : 0;
    if (enough && now >= trustedAgainAt_) {
      // A device that is trusted again gets the full allowance.
      if (refusing_) available_ = static_cast<double>(limit_);
      refusing_ = false;
      return false;
    }
    if (!refusing_) refusingSince_ = now;
    refusing_ = true;
    if (!enough) trustedAgainAt_ = now + calmTime;
    if (now - refusingSince_ < maxRefusal) return true;
    // Interrupted sound is better than permanent silence.
    refusing_ = false;
    trustedUntil_ = now + trustTime;
    return false;
  }

  // Whether the device kept real time before the last `take`.
  bool keptRealTime() const { return keptRealTime_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;
  static double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }
  // In multiples of real time. Clocks are more accurate than that, and devices that discard are several times as fast.
  static constexpr double maxSpeed = 1.25;
  // Time for which a device must keep real time to be trusted again.
  static constexpr std::chrono::milliseconds calmTime{40};
  // After refusing this long, sound passes for `trustTime`, too fast or not.
  static constexpr std::chrono::seconds maxRefusal{3};
  static constexpr std::chrono::seconds trustTime{10};

  const double rate_;
  size_t limit_ = 0;
  double available_ = 0;
  Time last_ = Clock::now();
  bool keptRealTime_ = true;
  bool refusing_ = false;
  Time trustedAgainAt_{};
  Time refusingSince_{};
  Time trustedUntil_{};
};

}  // namespace parley
