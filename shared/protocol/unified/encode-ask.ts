import type { Base64 } from '../base64.ts';
import type { Append, ClientAsk, Configure } from '../client-ask.ts';
import { slices, unlessEmpty } from '../encode/wire-numbers.ts';
import { encodeSound } from '../samples.ts';
import { encodeChat } from './encode-chat.ts';
import { encodeGeneration } from './generation.ts';

/** The frame for an ask; fields that are undefined are left out by JSON itself. */
export function encodeUnifiedAsk(ask: ClientAsk, base64: Base64): object {
  switch (ask.kind) {
    case 'configure':
      return encodeInit(ask, base64);
    case 'append':
      return encodeAppend(ask, base64);
    case 'chat':
      return encodeChat(ask, base64);
    case 'close':
      return { type: 'session.close', reason: ask.reason };
  }
}

function encodeInit({ settings }: Configure, base64: Base64): object {
  const { instructions, generation, voice } = settings;
  const payload = {
    system_prompt: instructions,
    config: generation && unlessEmpty(encodeGeneration(generation)),
    voice: unlessEmpty({
      ref_audio_base64: voice?.model && encodeSound(voice.model, base64),
      tts_ref_audio_base64: voice?.speech && encodeSound(voice.speech, base64),
    }),
  };
  return { type: 'session.init', payload };
}

function encodeAppend(ask: Append, base64: Base64): object {
  const flags = { force_listen: ask.forceListen, max_slice_nums: slices(ask.maxSlices) };
  const input = {
    audio: encodeSound(ask.audio, base64),
    video_frames: ask.frames?.map((frame) => base64.encode(frame)),
    ...(ask.flagsIn === 'hints' ? { hints: unlessEmpty(flags) } : flags),
    input_id: ask.inputId,
  };
  return { type: 'input.append', input };
}
