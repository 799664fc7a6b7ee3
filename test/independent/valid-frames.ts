import { wavText } from '../unit/shared/protocol/wire-media.ts';

export const chunk = Buffer.alloc(16_000).toString('base64');
export const jpeg = '/9j/2Q==';
export const goodChat = { messages: [{ role: 'user', content: 'Reply with exactly: test' }] };

export function init(payload: unknown): object {
  return { type: 'session.init', payload };
}
export function input(fields: object): object {
  return { type: 'input.append', input: fields };
}
export function update(session: object): object {
  return { type: 'session.update', session };
}
export function append(fields: object): object {
  return { type: 'input_audio_buffer.append', audio: chunk, ...fields };
}
export function withNan(): string {
  const samples = new Float32Array(4000);
  samples[1] = Number.NaN;
  return Buffer.from(samples.buffer).toString('base64');
}
/** The valid voice with one byte changed. */
export function wavWith(at: number, byte: number): string {
  const bytes = Buffer.from(wavText, 'base64');
  bytes[at] = byte;
  return bytes.toString('base64');
}
