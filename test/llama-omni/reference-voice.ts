import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { decodePcm } from '../../shared/protocol/base64-media.ts';
import { isJsonObject } from '../../shared/protocol/json.ts';

/** Checks the voice of a session as the C++ server does; returns the code of its error. */
export function voiceFailure(voice: unknown): string | undefined {
  const { ref_audio, tts_ref_audio } = isJsonObject(voice) ? voice : {};
  // The real server's default voice is at a path of the machine that built it.
  if (ref_audio === undefined) return 'voice_prefill_failed';
  if (readPcm(ref_audio) === undefined) return 'voice_audio_decode_failed';
  const isBad = tts_ref_audio !== undefined && readPcm(tts_ref_audio) === undefined;
  return isBad ? 'tts_voice_audio_decode_failed' : undefined;
}

/** Undefined unless the text is base64 of whole samples. */
export function readPcm(text: unknown): Float32Array | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const bytes = bufferBase64.decode(text);
  return bytes === undefined ? undefined : decodePcm(bytes)?.audio;
}
