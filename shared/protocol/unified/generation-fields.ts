import type { GenerationOptions } from '../client-event.ts';

type KnownOption = Exclude<keyof GenerationOptions, 'other'>;

/** The duplex model's settings: our name, the wire's, and what JSON they are. */
export const generationFields = [
  ['lengthPenalty', 'length_penalty', 'number'],
  ['temperature', 'temperature', 'number'],
  ['topK', 'top_k', 'number'],
  ['topP', 'top_p', 'number'],
  ['textRepetitionPenalty', 'text_repetition_penalty', 'number'],
  ['listenProbScale', 'listen_prob_scale', 'number'],
  ['listenTopK', 'listen_top_k', 'number'],
  ['maxNewSpeakTokensPerChunk', 'max_new_speak_tokens_per_chunk', 'number'],
  ['forceListenCount', 'force_listen_count', 'number'],
  ['generateAudio', 'generate_audio', 'flag'],
  ['lsMode', 'ls_mode', 'text'],
  ['decodeMode', 'decode_mode', 'text'],
  ['ttsTemperature', 'tts_temperature', 'number'],
  ['ttsRepetitionPenalty', 'tts_repetition_penalty', 'number'],
  ['chunkMs', 'chunk_ms', 'number'],
] as const satisfies readonly (readonly [KnownOption, string, 'number' | 'flag' | 'text'])[];

export function encodeGeneration(options: GenerationOptions): object {
  const known = generationFields.map(([ours, wire]) => {
    const value = options[ours];
    return [
      wire,
      typeof value === 'number' && !Number.isFinite(value) ? undefined : value,
    ] as const;
  });
  return {
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    ...options.other,
  };
}
