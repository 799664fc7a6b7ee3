// A lock-free ring buffer for one writer thread and one reader thread.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

namespace parley {

class Ring {
 public:
  // Rounds the capacity up to a power of two, so that indexing needs no division.
  explicit Ring(size_t minCapacity) {
    size_t capacity = 1;
    while (capacity < minCapacity) capacity *= 2;
    samples_.resize(capacity);
    mask_ = capacity - 1;
  }

  // Positions in the whole stream. They grow, except that `putBack` decreases `read`.
  uint64_t written() const { return written_.load(std::memory_order_acquire); }
  uint64_t read() const { return read_.load(std::memory_order_acquire); }
  size_t queued() const { return static_cast<size_t>(written() - read()); }
  size_t room() const { return samples_.size() - queued(); }

  // For the writer: writes as much as fits and returns the count.
  size_t write(const float* from, size_t count) {
    const uint64_t at = written_.load(std::memory_order_relaxed);
    const size_t writing = std::min(count, samples_.size() - static_cast<size_t>(at - read()));
    // Also covers a released ring, which has no memory.
    if (writing == 0) return 0;
    const size_t start = static_cast<size_t>(at) & mask_;
    const size_t first = std::min(writing, samples_.size() - start);
    std::memcpy(samples_.data() + start, from, first * sizeof(float));
    std::memcpy(samples_.data(), from + first, (writing - first) * sizeof(float));
    written_.store(at + writing, std::memory_order_release);
    return writing;
  }

  // For the reader.
  size_t take(float* into, size_t count) {
    const uint64_t at = read_.load(std::memory_order_relaxed);
    const size_t taking = std::min(count, static_cast<size_t>(written() - at));
    if (taking == 0) return 0;
    const size_t start = static_cast<size_t>(at) & mask_;
    const size_t first = std::min(taking, samples_.size() - start);
    std::memcpy(into, samples_.data() + start, first * sizeof(float));
    std::memcpy(into + first, samples_.data(), (taking - first) * sizeof(float));
    read_.store(at + taking, std::memory_order_release);
    return taking;
  }

  // For the reader: discards everything before the position.
  void skipTo(uint64_t position) {
    if (position > read()) read_.store(position, std::memory_order_release);
  }

  // For the reader: queues the last samples again. The writer must have left that much room.
  void putBack(size_t count) {
    read_.store(read_.load(std::memory_order_relaxed) - count, std::memory_order_release);
  }

  // Frees the memory once reader and writer have stopped. From then on it takes and returns no samples.
  void release() {
    read_.store(written());
    std::vector<float>().swap(samples_);
  }

 private:
  std::vector<float> samples_;
  size_t mask_;
  std::atomic<uint64_t> written_{0};
  std::atomic<uint64_t> read_{0};
};

}  // namespace parley
