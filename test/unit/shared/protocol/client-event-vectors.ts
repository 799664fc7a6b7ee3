import type { ClientEvent, DialectName } from '../../../../shared/protocol/realtime-api.ts';
import type { JsonObject } from '../../../../shared/protocol/json.ts';
import { jpeg, jpegText, png, pngText, sound, soundText, wavText } from './wire-media.ts';

/** A client event and its frame; reading and writing must both give the other. */
interface ClientEventVector {
  readonly name: string;
  readonly dialect: DialectName;
  readonly event: ClientEvent;
  readonly frame: JsonObject;
}

const audio = sound;

const unified: readonly Omit<ClientEventVector, 'dialect'>[] = [
  {
    name: 'an empty configuration, as chat may send it',
    event: { kind: 'configure', settings: {} },
    frame: { type: 'session.init', payload: {} },
  },
  {
    name: 'a configuration with every field',
    event: {
      kind: 'configure',
      settings: {
        instructions: 'You are a helpful video voice assistant.',
        generation: {
          lengthPenalty: 1.1,
          temperature: 0.7,
          topK: 100,
          topP: 0.8,
          textRepetitionPenalty: 1.05,
          listenProbScale: 1,
          listenTopK: 5,
          maxNewSpeakTokensPerChunk: 20,
          forceListenCount: 0,
          generateAudio: true,
          lsMode: 'explicit',
          decodeMode: 'sampling',
          ttsTemperature: 0.8,
          ttsRepetitionPenalty: 1.05,
          chunkMs: 1000,
          other: { beam_width: 2 },
        },
        voice: { model: sound, speech: sound },
      },
    },
    frame: {
      type: 'session.init',
      payload: {
        system_prompt: 'You are a helpful video voice assistant.',
        config: {
          length_penalty: 1.1,
          temperature: 0.7,
          top_k: 100,
          top_p: 0.8,
          text_repetition_penalty: 1.05,
          listen_prob_scale: 1,
          listen_top_k: 5,
          max_new_speak_tokens_per_chunk: 20,
          force_listen_count: 0,
          generate_audio: true,
          ls_mode: 'explicit',
          decode_mode: 'sampling',
          tts_temperature: 0.8,
          tts_repetition_penalty: 1.05,
          chunk_ms: 1000,
          beam_width: 2,
        },
        voice: { ref_audio_base64: soundText, tts_ref_audio_base64: soundText },
      },
    },
  },
  {
    name: 'sound alone',
    event: { kind: 'append', audio },
    frame: { type: 'input.append', input: { audio: soundText } },
  },
  {
    name: 'sound with frames',
    event: {
      kind: 'append',
      inputId: '17',
      audio,
      frames: [jpeg, jpeg],
      forceListen: false,
      maxSlices: 1,
    },
    frame: {
      type: 'input.append',
      input: {
        audio: soundText,
        video_frames: [jpegText, jpegText],
        force_listen: false,
        max_slice_nums: 1,
        input_id: '17',
      },
    },
  },
  {
    name: 'flags in the hints',
    event: { kind: 'append', audio, forceListen: true, maxSlices: 9, flagsIn: 'hints' },
    frame: {
      type: 'input.append',
      input: { audio: soundText, hints: { force_listen: true, max_slice_nums: 9 } },
    },
  },
  {
    name: 'a chat turn',
    event: { kind: 'chat', messages: [{ role: 'user', content: 'Reply with exactly: test' }] },
    frame: {
      type: 'input.append',
      input: { messages: [{ role: 'user', content: 'Reply with exactly: test' }] },
    },
  },
  {
    name: 'a chat turn with every field',
    event: {
      kind: 'chat',
      inputId: '3',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Describe this image' },
            { type: 'image', image: png },
            { type: 'audio', audio },
          ],
        },
        { role: 'assistant', content: 'A cat.' },
      ],
      streaming: true,
      maxNewTokens: 64,
      lengthPenalty: 1.1,
      maxSlices: 1,
      omni: false,
      speech: { enabled: true, voice: sound },
      useTtsTemplate: false,
      thinking: false,
    },
    frame: {
      type: 'input.append',
      input: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Describe this image' },
              { type: 'image', data: pngText },
              { type: 'audio', data: soundText },
            ],
          },
          { role: 'assistant', content: 'A cat.' },
        ],
        streaming: true,
        generation: { max_new_tokens: 64, length_penalty: 1.1 },
        image: { max_slice_nums: 1 },
        omni_mode: false,
        tts: { enabled: true, ref_audio_data: soundText },
        use_tts_template: false,
        enable_thinking: false,
        input_id: '3',
      },
    },
  },
];

const legacy: readonly Omit<ClientEventVector, 'dialect'>[] = [
  {
    name: 'a configuration with every field',
    event: {
      kind: 'configure',
      settings: {
        instructions: 'You are a helpful English assistant.',
        maxSlices: 4,
        voice: { model: sound, speech: sound },
      },
    },
    frame: {
      type: 'session.update',
      session: {
        instructions: 'You are a helpful English assistant.',
        max_slice_nums: 4,
        ref_audio: wavText,
        tts_ref_audio: wavText,
      },
    },
  },
  {
    name: 'sound alone',
    event: { kind: 'append', audio },
    frame: { type: 'input_audio_buffer.append', audio: soundText },
  },
  {
    name: 'sound and a frame',
    event: { kind: 'append', audio, frames: [jpeg], forceListen: true, maxSlices: 1 },
    frame: {
      type: 'input_audio_buffer.append',
      audio: soundText,
      video_frames: [jpegText],
      force_listen: true,
      max_slice_nums: 1,
    },
  },
];

const close: Omit<ClientEventVector, 'dialect'> = {
  name: 'the close',
  event: { kind: 'close', reason: 'user_stop' },
  frame: { type: 'session.close', reason: 'user_stop' },
};

function inDialect(dialect: DialectName, vectors: typeof unified): readonly ClientEventVector[] {
  return vectors.map(({ name, event, frame }) => ({ dialect, name, event, frame }));
}

export const clientEventVectors: readonly ClientEventVector[] = [
  ...inDialect('unified', [...unified, close]),
  ...inDialect('legacy', [...legacy, close]),
];
