# Built against the PortAudio that naudiodon brings; the library is copied beside the addon and found
# there, so that the folder can be moved into a package as it is. Why there are several of it:
# port-audio.h.
{
  "variables": {
    "portaudio": "<!(node portaudio-folder.cjs)"
  },
  "targets": [
    {
      "target_name": "parley_sound",
      "sources": ["module.cc", "speaker.cc", "microphone.cc", "stream.cc", "port-audio.cc", "promise.cc", "values.cc", "waker.cc"],
      "include_dirs": ["<(portaudio)/include"],
      "defines": ["NAPI_VERSION=8"],
      "cflags_cc": ["-std=c++17", "-O2", "-Wall", "-Wextra", "-fno-exceptions"],
      "conditions": [
        ["OS=='linux'", {
          "libraries": ["<(portaudio)/bin/libportaudio.so.2", "-Wl,-rpath,'$$ORIGIN'"],
          "copies": [{ "destination": "<(PRODUCT_DIR)", "files": ["<(portaudio)/bin/libportaudio.so.2"] }],
          "actions": [{
            "action_name": "copies_of_portaudio",
            "inputs": ["<(portaudio)/bin/libportaudio.so.2"],
            "outputs": ["<(PRODUCT_DIR)/portaudio-1.so", "<(PRODUCT_DIR)/portaudio-2.so", "<(PRODUCT_DIR)/portaudio-3.so", "<(PRODUCT_DIR)/portaudio-4.so", "<(PRODUCT_DIR)/portaudio-5.so"],
            "action": ["node", "copy-library.cjs", "<@(_inputs)", "<@(_outputs)"]
          }]
        }],
        ["OS=='mac'", {
          "xcode_settings": { "CLANG_CXX_LANGUAGE_STANDARD": "c++17", "OTHER_LDFLAGS": ["-Wl,-rpath,@loader_path"] },
          "libraries": ["<(portaudio)/bin/libportaudio.dylib"],
          "copies": [{ "destination": "<(PRODUCT_DIR)", "files": ["<(portaudio)/bin/libportaudio.dylib"] }],
          "actions": [{
            "action_name": "copies_of_portaudio",
            "inputs": ["<(portaudio)/bin/libportaudio.dylib"],
            "outputs": ["<(PRODUCT_DIR)/portaudio-1.dylib", "<(PRODUCT_DIR)/portaudio-2.dylib", "<(PRODUCT_DIR)/portaudio-3.dylib", "<(PRODUCT_DIR)/portaudio-4.dylib", "<(PRODUCT_DIR)/portaudio-5.dylib"],
            "action": ["node", "copy-library.cjs", "<@(_inputs)", "<@(_outputs)"]
          }]
        }],
        ["OS=='win'", {
          "libraries": ["<(portaudio)/bin/portaudio_x64.lib"],
          "msvs_settings": { "VCCLCompilerTool": { "AdditionalOptions": ["/std:c++17"] } },
          "copies": [{ "destination": "<(PRODUCT_DIR)", "files": ["<(portaudio)/bin/portaudio_x64.dll"] }],
          "actions": [{
            "action_name": "copies_of_portaudio",
            "inputs": ["<(portaudio)/bin/portaudio_x64.dll"],
            "outputs": ["<(PRODUCT_DIR)/portaudio-1.dll", "<(PRODUCT_DIR)/portaudio-2.dll", "<(PRODUCT_DIR)/portaudio-3.dll", "<(PRODUCT_DIR)/portaudio-4.dll", "<(PRODUCT_DIR)/portaudio-5.dll"],
            "action": ["node", "copy-library.cjs", "<@(_inputs)", "<@(_outputs)"]
          }]
        }]
      ]
    }
  ]
}
