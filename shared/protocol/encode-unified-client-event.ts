import type { Base64 } from './base64.ts';
import type { AppendEvent, ClientEvent, ConfigureEvent } from './client-event.ts';
import { wireSlices, unlessEmpty } from './wire-values.ts';
import { encodePcm } from './pcm.ts';
import { encodeChat } from './encode-chat.ts';
import { encodeGeneration } from './unified/generation-fields.ts';

/** The frame for an ask; fields that are undefined are left out by JSON itself. */
export function encodeUnifiedClientEvent(event: ClientEvent, base64: Base64): object {
  switch (event.kind) {
    case 'configure':
      return encodeInit(event, base64);
    case 'append':
      return encodeAppend(event, base64);
    case 'chat':
      return encodeChat(event, base64);
    case 'close':
      return { type: 'session.close', reason: event.reason };
  }
}

function encodeInit({ settings }: ConfigureEvent, base64: Base64): object {
  const { instructions, generation, voice } = settings;
  const payload = {
    system_prompt: instructions,
    config: generation && unlessEmpty(encodeGeneration(generation)),
    voice: unlessEmpty({
      ref_audio_base64: voice?.model && encodePcm(voice.model, base64),
      tts_ref_audio_base64: voice?.speech && encodePcm(voice.speech, base64),
    }),
  };
  return { type: 'session.init', payload };
}

function encodeAppend(event: AppendEvent, base64: Base64): object {
  const flags = { force_listen: event.forceListen, max_slice_nums: wireSlices(event.maxSlices) };
  const input = {
    audio: encodePcm(event.audio, base64),
    video_frames: event.frames?.map((frame) => base64.encode(frame)),
    ...(event.flagsIn === 'hints' ? { hints: unlessEmpty(flags) } : flags),
    input_id: event.inputId,
  };
  return { type: 'input.append', input };
}
