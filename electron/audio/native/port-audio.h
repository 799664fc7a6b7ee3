// PortAudio's library, loaded several times over. It knows only the devices of its start, and starting
// it anew ends its streams; so that looking for devices disturbs nobody, another copy of it looks.
#pragma once
#include <portaudio.h>
#include <mutex>
#include <string>
#include <vector>

namespace parley {

// A stream stands on a copy of its own (device-tables.ts says why): a talk, a recording and a meter have
// theirs, and there is still one to look for devices with.
constexpr int copyCount = 6;

class Stream;

struct Device {
  int index;
  std::string name;
  std::string hostApi;
  int inputChannels;
  int outputChannels;
  double rate;
  bool defaultInput;
  bool defaultOutput;
};

// One copy: its functions, and what it has been told.
struct PortAudio {
  // PortAudio opens, closes and enumerates from one thread at a time only. Other copies know nothing of it.
  std::mutex lock;
  bool loaded = false;
  // How often it was started and not ended yet.
  int started = 0;
  // Those that are open on it: what ends PortAudio ends them.
  std::vector<Stream*> streams;

  decltype(&Pa_Initialize) initialize = nullptr;
  decltype(&Pa_Terminate) terminate = nullptr;
  decltype(&Pa_GetErrorText) errorText = nullptr;
  decltype(&Pa_GetDeviceCount) deviceCount = nullptr;
  decltype(&Pa_GetDeviceInfo) deviceInfo = nullptr;
  decltype(&Pa_GetHostApiInfo) hostApiInfo = nullptr;
  decltype(&Pa_GetDefaultInputDevice) defaultInput = nullptr;
  decltype(&Pa_GetDefaultOutputDevice) defaultOutput = nullptr;
  decltype(&Pa_OpenStream) openStream = nullptr;
  decltype(&Pa_StartStream) startStream = nullptr;
  decltype(&Pa_AbortStream) abortStream = nullptr;
  decltype(&Pa_CloseStream) closeStream = nullptr;
  decltype(&Pa_IsStreamActive) isStreamActive = nullptr;
  decltype(&Pa_GetStreamTime) streamTime = nullptr;
  decltype(&Pa_GetStreamInfo) streamInfo = nullptr;
};

// The copy of that number, whether it is loaded or not; nothing where there is no such number.
PortAudio* portAudioCopy(int number);

// Loads the copy where it is not, starts it and says which devices there are. The error is empty
// when it went well. They run on a worker thread: a sound server may be slow.
std::string startPortAudio(int number, std::vector<Device>& devices);
void stopPortAudio(int number);

}  // namespace parley
