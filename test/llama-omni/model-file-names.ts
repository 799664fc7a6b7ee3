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
