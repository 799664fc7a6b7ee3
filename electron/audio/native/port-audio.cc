#include "port-audio.h"
#include <uv.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#include "library-chatter.h"
#include "stream.h"

namespace parley {
namespace {

#ifdef _WIN32
constexpr char extension[] = ".dll";
#elif defined(__APPLE__)
constexpr char extension[] = ".dylib";
#else
constexpr char extension[] = ".so";
#endif

PortAudio copies[copyCount];

#ifdef _WIN32
// Converts to UTF-8 for libuv; the system's code page would lose names in other scripts.
std::string moduleFile(HMODULE module) {
  std::wstring wide(32768, L'\0');
  wide.resize(GetModuleFileNameW(module, &wide[0], static_cast<DWORD>(wide.size())));
  const int length = static_cast<int>(wide.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, nullptr, 0, nullptr, nullptr);
  std::string file(static_cast<std::size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, &file[0], bytes, nullptr, nullptr);
  return file;
}
#endif

// The folder of this addon, with its last separator. The library's copies are in the same folder.
std::string folder() {
#ifdef _WIN32
  HMODULE module = nullptr;
  GetModuleHandleExW(
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
      reinterpret_cast<LPCWSTR>(&folder), &module);
  const std::string file = moduleFile(module);
#else
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&folder), &info);
  const std::string file = info.dli_fname != nullptr ? info.dli_fname : "";
#endif
  return file.substr(0, file.find_last_of("/\\") + 1);
}

// The first copy is the linked one, which naudiodon has loaded too.
void useLinked(PortAudio& copy) {
  copy.initialize = &Pa_Initialize;
  copy.terminate = &Pa_Terminate;
  copy.errorText = &Pa_GetErrorText;
  copy.deviceCount = &Pa_GetDeviceCount;
  copy.deviceInfo = &Pa_GetDeviceInfo;
  copy.hostApiInfo = &Pa_GetHostApiInfo;
  copy.defaultInput = &Pa_GetDefaultInputDevice;
  copy.defaultOutput = &Pa_GetDefaultOutputDevice;
  copy.openStream = &Pa_OpenStream;
  copy.startStream = &Pa_StartStream;
  copy.abortStream = &Pa_AbortStream;
  copy.closeStream = &Pa_CloseStream;
  copy.isStreamActive = &Pa_IsStreamActive;
  copy.streamTime = &Pa_GetStreamTime;
  copy.streamInfo = &Pa_GetStreamInfo;
}

template <typename Function>
bool find(uv_lib_t& library, const char* name, Function& function) {
  void* found = nullptr;
  if (uv_dlsym(&library, name, &found) != 0) return false;
  function = reinterpret_cast<Function>(found);
  return true;
}

std::string useFile(PortAudio& copy, const std::string& file) {
  // Never unloaded: PortAudio's host APIs leave threads behind that would crash.
  static uv_lib_t libraries[copyCount];
  uv_lib_t& library = libraries[&copy - copies];
  const bool isComplete = uv_dlopen(file.c_str(), &library) == 0 &&
                     find(library, "Pa_Initialize", copy.initialize) &&
                     find(library, "Pa_Terminate", copy.terminate) &&
                     find(library, "Pa_GetErrorText", copy.errorText) &&
                     find(library, "Pa_GetDeviceCount", copy.deviceCount) &&
                     find(library, "Pa_GetDeviceInfo", copy.deviceInfo) &&
                     find(library, "Pa_GetHostApiInfo", copy.hostApiInfo) &&
                     find(library, "Pa_GetDefaultInputDevice", copy.defaultInput) &&
                     find(library, "Pa_GetDefaultOutputDevice", copy.defaultOutput) &&
                     find(library, "Pa_OpenStream", copy.openStream) &&
                     find(library, "Pa_StartStream", copy.startStream) &&
                     find(library, "Pa_AbortStream", copy.abortStream) &&
                     find(library, "Pa_CloseStream", copy.closeStream) &&
                     find(library, "Pa_IsStreamActive", copy.isStreamActive) &&
                     find(library, "Pa_GetStreamTime", copy.streamTime) &&
                     find(library, "Pa_GetStreamInfo", copy.streamInfo);
  return isComplete ? std::string{} : uv_dlerror(&library);
}

std::string load(PortAudio& copy, int number) {
  if (copy.loaded) return {};
  if (number == 0) {
    useLinked(copy);
  } else {
    const std::string file = folder() + "portaudio-" + std::to_string(number) + extension;
    const std::string error = useFile(copy, file);
    if (!error.empty()) return error;
  }
  copy.loaded = true;
  return {};
}

std::vector<Device> devicesOf(const PortAudio& copy) {
  std::vector<Device> devices;
  const int count = copy.deviceCount();
  for (int index = 0; index < count; ++index) {
    const PaDeviceInfo* info = copy.deviceInfo(index);
    const PaHostApiInfo* host = copy.hostApiInfo(info->hostApi);
    devices.push_back({index, info->name, host->name, info->maxInputChannels, info->maxOutputChannels,
                       info->defaultSampleRate, copy.defaultInput() == index,
                       copy.defaultOutput() == index});
  }
  return devices;
}

}  // namespace

PortAudio* portAudioCopy(int number) {
  return number >= 0 && number < copyCount ? &copies[number] : nullptr;
}

std::string startPortAudio(int number, std::vector<Device>& devices) {
  PortAudio* copy = portAudioCopy(number);
  if (copy == nullptr) return "There is no such copy of PortAudio";
  std::lock_guard<std::mutex> guard(copy->lock);
  const std::string problem = load(*copy, number);
  if (!problem.empty()) return problem;
  silenceLibraries();
  const PaError error = copy->initialize();
  if (error != paNoError) return copy->errorText(error);
  ++copy->started;
  devices = devicesOf(*copy);
  return {};
}

void stopPortAudio(int number) {
  PortAudio* copy = portAudioCopy(number);
  if (copy == nullptr) return;
  std::lock_guard<std::mutex> guard(copy->lock);
  if (copy->started == 0) return;
  std::vector<Stream*> ending;
  if (--copy->started == 0) ending.swap(copy->streams);
  // Closes streams explicitly, because those that PortAudio closes as it ends may still call back for a moment.
  for (Stream* stream : ending) {
    PaStream* const open = stream->detach();
    if (open == nullptr) continue;
    copy->abortStream(open);
    copy->closeStream(open);
    stream->markClosed();
  }
  copy->terminate();
}

}  // namespace parley
