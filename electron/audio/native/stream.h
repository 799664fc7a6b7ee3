// What the two directions have in common: a PortAudio stream, and counters anyone may read.
#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include "port-audio.h"

namespace parley {

struct StreamPlan {
  // The copy that lists the device.
  PortAudio* audio;
  PaDeviceIndex device;
  double rate;
  int channels;
  unsigned long framesPerBuffer;
  double latency;
  size_t ringSamples;
};

// What is no number is no sound; nor is what is a million times as loud as there is: a volume would make infinity of it.
inline bool isSound(float sample) { return std::fabs(sample) <= 1e6f; }

class Stream {
 public:
  explicit Stream(const StreamPlan& plan) : plan_(plan) {}
  virtual ~Stream() = default;

  // Both may take long where a sound server is slow; they run on a worker thread. The error is
  // empty when it went well.
  std::string open();
  void close();

  // Once closed, for the thread that reads and writes: megabytes must not wait for a collector.
  void release() {
    if (closed_.load()) releaseRings();
  }

  // Where its copy of PortAudio ends, which closes it: before that, and after. Under the lock of that copy.
  PaStream* letGo();
  void closed();

  // Its thread may begin at any time and for ever: it must never be freed.
  bool isAbandoned() const { return abandoned_.load(); }

  // Until the device's thread is known to be done with it.
  bool isOpen() const { return open_.load(); }
  bool active() const;
  double latency() const { return latency_; }
  double now() const;
  uint64_t callbacks() const { return callbacks_.load(std::memory_order_relaxed); }
  const StreamPlan& plan() const { return plan_; }

 protected:
  virtual PaError openStream(PaStream** stream) = 0;
  virtual double latencyOf(const PaStreamInfo& info) const = 0;
  // Before the first callback; what the device is like is known.
  virtual void opened() {}
  virtual void releaseRings() = 0;

  const StreamPlan plan_;
  std::atomic<uint64_t> callbacks_{0};

 private:
  std::atomic<PaStream*> stream_{nullptr};
  std::atomic<bool> open_{false};
  std::atomic<bool> abandoned_{false};
  // Held while the stream is asked something, so that it is not freed meanwhile; never while a device is waited for.
  mutable std::mutex asking_;
  double latency_ = 0;
  std::atomic<bool> closed_{false};
};

}  // namespace parley
