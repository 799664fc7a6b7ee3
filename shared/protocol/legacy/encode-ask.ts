import { encodeWav } from '../../wav/encode-wav.ts';
import type { Base64 } from '../base64.ts';
import type { Append, ClientAsk, Configure } from '../client-ask.ts';
import { slices } from '../encode/wire-numbers.ts';
import { inputRate } from '../limits.ts';
import { encodeSound } from '../samples.ts';

/** The documents require a prompt; this is what they themselves use where it does not matter. */
const plainInstructions = 'You are a helpful assistant.';

/** The frame for an ask; fields that are undefined are left out by JSON itself. */
export function encodeLegacyAsk(ask: ClientAsk, base64: Base64): object {
  switch (ask.kind) {
    case 'configure':
      return encodeUpdate(ask, base64);
    case 'append':
      return encodeAppend(ask, base64);
    case 'chat':
      throw new Error('The legacy dialect has no chat.');
    case 'close':
      return { type: 'session.close', reason: ask.reason };
  }
}

function encodeUpdate({ settings }: Configure, base64: Base64): object {
  const { instructions, voice, maxSlices } = settings;
  const session = {
    instructions: instructions ?? plainInstructions,
    max_slice_nums: slices(maxSlices),
    ref_audio: voice?.model && encodeVoice(voice.model, base64),
    tts_ref_audio: voice?.speech && encodeVoice(voice.speech, base64),
  };
  return { type: 'session.update', session };
}

function encodeVoice(voice: Float32Array, base64: Base64): string {
  return base64.encode(encodeWav(voice, { rate: inputRate, channels: 1, coding: 'pcm16' }));
}

/** Without our id: this dialect has no place for one. */
function encodeAppend(ask: Append, base64: Base64): object {
  return {
    type: 'input_audio_buffer.append',
    audio: encodeSound(ask.audio, base64),
    video_frames: ask.frames?.map((frame) => base64.encode(frame)),
    force_listen: ask.forceListen,
    max_slice_nums: slices(ask.maxSlices),
  };
}
