// The base of microphone and speaker: a PortAudio stream, with counters that any thread may read.
#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include "port-audio.h"

namespace parley {

struct StreamPlan {
  // The copy that listed the device.
  PortAudio* audio;
  PaDeviceIndex device;
  double rate;
  int channels;
  unsigned long framesPerBuffer;
  double latency;
  size_t ringSamples;
};

// Rejects NaN, infinity, and values so large that a gain would make them infinite.
inline bool isSound(float sample) { return std::fabs(sample) <= 1e6f; }

class Stream {
 public:
  explicit Stream(const StreamPlan& plan) : plan_(plan) {}
  virtual ~Stream() = default;

  // Both may block on a slow sound server, so they run on a worker thread. `open` returns an error text, empty
  // on success.
  std::string open();
  void close();

  // Frees the rings of a closed stream, on the JavaScript thread: megabytes should not wait for garbage
  // collection.
  void release() {
    if (closed_.load()) releaseRings();
  }

  // PortAudio closes its streams when it ends. Call `detach` before such a close and `markClosed` after it, both with the
  // lock of the copy held.
  PaStream* detach();
  void markClosed();

  // PortAudio's thread for this stream may still start at any time, so the object must never be freed.
  bool isAbandoned() const { return abandoned_.load(); }

  // True until the device's thread has stopped using the stream.
  bool isOpen() const { return open_.load(); }
  bool active() const;
  double latency() const { return latency_; }
  double now() const;
  uint64_t callbacks() const { return callbacks_.load(std::memory_order_relaxed); }
  const StreamPlan& plan() const { return plan_; }

 protected:
  virtual PaError openStream(PaStream** stream) = 0;
  virtual double latencyOf(const PaStreamInfo& info) const = 0;
  // Called before the first callback, when the stream's properties are known.
  virtual void onOpened() {}
  virtual void releaseRings() = 0;

  const StreamPlan plan_;
  std::atomic<uint64_t> callbacks_{0};

 private:
  std::atomic<PaStream*> stream_{nullptr};
  std::atomic<bool> open_{false};
  std::atomic<bool> abandoned_{false};
  // Held during queries, so that the stream is not freed meanwhile; never held while waiting for a device.
  mutable std::mutex queryLock_;
  double latency_ = 0;
  std::atomic<bool> closed_{false};
};

}  // namespace parley
