/** The model's files, which the stand-in checks: the language model, then the parts that the server looks for beside it. */
export const modelFileNames = [
  'MiniCPM-o-4_5-Q4_K_M.gguf',
  'audio/MiniCPM-o-4_5-audio-F16.gguf',
  'vision/MiniCPM-o-4_5-vision-F16.gguf',
  'tts/MiniCPM-o-4_5-tts-F16.gguf',
  'tts/MiniCPM-o-4_5-projector-F16.gguf',
  'token2wav-gguf/encoder.gguf',
  'token2wav-gguf/flow_matching.gguf',
  'token2wav-gguf/flow_extra.gguf',
  'token2wav-gguf/hifigan2.gguf',
  'token2wav-gguf/prompt_cache.gguf',
] as const;

const mebibyte = 1024 * 1024;

/** Log lines of the stand-in, like those that llama.cpp and its audio, vision and speech parts print. */
export const standInLog = {
  listening: (host: string, port: number): string =>
    `main: llama-omni-server is listening on http://${host}:${port}`,
  portTaken: (host: string, port: number): string =>
    `main: couldn't bind HTTP server socket, hostname: ${host}, port: ${port}`,
  fileMissing: (path: string): string => `gguf_init_from_file: failed to open GGUF file '${path}'`,
  unknownArgument: (argument: string): string => `error: invalid argument: ${argument}`,
  initFailed: (reason: string): string => `omni_init: failed: ${reason}`,
  outOfMemory: (): readonly string[] => [
    'ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4693.94 MiB on device 0: cudaMalloc failed: out of memory',
    'alloc_tensor_range: failed to allocate CUDA0 buffer of size 4921966592',
    'llama_model_load: error loading model: unable to allocate CUDA0 buffer',
    'llama_model_load_from_file_impl: failed to load model',
  ],
  sessionBegun: (id: string, mode: string): string => `omni_session: ${id} created, mode ${mode}`,
  sessionEnded: (id: string, reason: string): string => `omni_session: ${id} closed: ${reason}`,
  step: (step: number, tokens: number): string => `omni_decode: step ${step}, n_past = ${tokens}`,
  contextSlides: (from: number, to: number): string =>
    `omni_decode: context is full, sliding window: n_past ${from} -> ${to}`,
  noSpace: (path: string): string => `omni_ws: failed to write ${path}: No space left on device`,
  crash: (): string => 'GGML_ASSERT(n_past >= 0) failed',
  /** The lines of one load of the model, in order. */
  loading: (folder: string, contextSize: number): readonly string[] => {
    const [language = '', ...parts] = modelFileNames.map((name) => `${folder}/${name}`);
    return [
      'ggml_cuda_init: found 1 CUDA devices:',
      '  Device 0: NVIDIA GeForce RTX 4070, compute capability 8.9, VMM: yes',
      `llama_model_loader: loaded meta data with 29 key-value pairs and 399 tensors from ${language} (version GGUF V3 (latest))`,
      'print_info: general.name     = MiniCPM-o 4_5',
      'load_tensors: loading model tensors, this can take a while... (mmap = true)',
      'load_tensors: offloading 36 repeating layers to GPU',
      'load_tensors: offloaded 37/37 layers to GPU',
      `load_tensors:        CUDA0 model buffer size =  ${(4_921_966_592 / mebibyte).toFixed(2)} MiB`,
      '.................................................................................',
      `llama_context: n_ctx         = ${contextSize}`,
      ...parts.map((path) => `${partOf(path)}: loading ${path}`),
      'omni_init: all models loaded',
    ];
  },
} as const;

function partOf(path: string): string {
  if (path.includes('/audio/')) return 'audio_init';
  if (path.includes('/vision/')) return 'vision_init';
  return path.includes('/tts/') ? 'tts_init' : 'token2wav_init';
}
