import { encodeWav } from '../wav/encode-wav.ts';
import type { Base64 } from './base64.ts';
import type { AppendEvent, ClientEvent, ConfigureEvent } from './client-event.ts';
import { wireSlices } from './wire-values.ts';
import { inputRate } from './protocol-limits.ts';
import { encodePcm } from './pcm.ts';

/** The documents require a prompt; this is what they themselves use where it does not matter. */
const plainInstructions = 'You are a helpful assistant.';

/** A chunk's name and its length; so many bytes of the file are not counted in its own. */
const chunkHead = 8;
const riffHead = 8;

/** The frame for an ask; fields that are undefined are left out by JSON itself. */
export function encodeLegacyClientEvent(event: ClientEvent, base64: Base64): object {
  switch (event.kind) {
    case 'configure':
      return encodeUpdate(event, base64);
    case 'append':
      return encodeAppend(event, base64);
    case 'chat':
      throw new Error('The legacy dialect has no chat.');
    case 'close':
      return { type: 'session.close', reason: event.reason };
  }
}

function encodeUpdate({ settings, voiceForm }: ConfigureEvent, base64: Base64): object {
  const { instructions, voice, maxSlices } = settings;
  const encodeVoice = voiceForm === 'float32' ? encodePcm : encodeWavVoice;
  const session = {
    instructions: instructions ?? plainInstructions,
    max_slice_nums: wireSlices(maxSlices),
    ref_audio: voice?.model && encodeVoice(voice.model, base64),
    tts_ref_audio: voice?.speech && encodeVoice(voice.speech, base64),
  };
  return { type: 'session.update', session };
}

/** Ends in a chunk without meaning, so that its length is one of whole samples: a server that takes it for bare samples goes on. */
function encodeWavVoice(voice: Float32Array, base64: Base64): string {
  const wav = encodeWav(voice, { rate: inputRate, channels: 1, coding: 'float32' });
  const padding = 4 - ((wav.length + chunkHead) % 4);
  const file = new Uint8Array(wav.length + chunkHead + padding);
  file.set(wav);
  file.set([0x6a, 0x75, 0x6e, 0x6b, padding], wav.length);
  new DataView(file.buffer).setUint32(4, file.length - riffHead, true);
  return base64.encode(file);
}

/** Without our id: this dialect has no place for one. */
function encodeAppend(event: AppendEvent, base64: Base64): object {
  return {
    type: 'input_audio_buffer.append',
    audio: encodePcm(event.audio, base64),
    video_frames: event.frames?.map((frame) => base64.encode(frame)),
    force_listen: event.forceListen,
    max_slice_nums: wireSlices(event.maxSlices),
  };
}
