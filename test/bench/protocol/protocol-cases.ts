import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { seeded } from '../../fakes/seeded.ts';

export const client = createClientCodec(bufferBase64);
export const server = createServerCodec(bufferBase64);

const second = noise(16_000);

export const append = (): string =>
  client.encodeClientEvent({ kind: 'append', audio: second }, 'unified');

export const bareAppend = (): string => bareEncode(second);

const sound = { kind: 'output', wire: 'unified', audio: noise(24_576) } as const;

export const encodeDelta = () => server.encodeServerEvent(sound, 'unified');

export const delta = asReceived(encodeDelta().join(''));

/** One character outside Latin-1 makes V8 store the frame with two bytes per character. */
export const wideDelta = asReceived(
  server.encodeServerEvent({ ...sound, wire: 'legacy', text: '今天' }, 'legacy').join(''),
);

function bareEncode(samples: Float32Array): string {
  const audio = Buffer.from(samples.buffer).toString('base64');
  return JSON.stringify({ type: 'input.append', input: { audio } });
}

export function bareDecode(text: string): Buffer {
  const frame = JSON.parse(text) as { readonly audio: string };
  return Buffer.from(frame.audio, 'base64');
}

/** A flat string, as a socket delivers it. */
export function asReceived(text: string): string {
  return Buffer.from(text).toString();
}

function noise(samples: number): Float32Array {
  const random = seeded(1);
  return Float32Array.from({ length: samples }, () => random() - 0.5);
}

export function kilobytes(text: string): string {
  return `${(text.length / 1000).toFixed(0)} KB`;
}
