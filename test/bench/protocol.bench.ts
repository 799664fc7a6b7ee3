import { bufferBase64 } from '../../electron/adapters/system/buffer-base64.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { seeded } from '../fakes/seeded.ts';
import { printMedians } from './table.ts';

const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);

/** The promise: an 85 KB append written and a 128 KB delta read, each under 0.15 ms. */
export function bench(): void {
  const second = noise(16_000);
  const append = (): string =>
    client.encodeClientEvent({ kind: 'append', audio: second }, 'unified');
  const appendText = asReceived(append());
  printMedians(`An append of one second, ${kilobytes(appendText)}`, [
    { name: 'encodeAsk', run: append },
    { name: 'bare base64 and JSON.stringify', run: () => bareEncode(second) },
    { name: 'decodeClientEvent', run: () => server.decodeClientEvent(appendText, 'unified') },
    { name: 'bare JSON.parse', run: (): unknown => JSON.parse(appendText) },
  ]);
  const sound = { kind: 'output', wire: 'unified', audio: noise(24_576) } as const;
  const delta = asReceived(server.encodeServerEvent(sound, 'unified').join(''));
  // One letter outside Latin makes the whole frame two bytes a character.
  const wide = server
    .encodeServerEvent({ ...sound, wire: 'legacy', text: '今天' }, 'legacy')
    .join('');
  const wideDelta = asReceived(wide);
  printMedians(`An audio delta of 1.02 s, ${kilobytes(delta)}`, [
    { name: 'decodeServerEvent', run: () => client.decodeServerEvent(delta) },
    { name: 'decodeEvent, with Chinese text', run: () => client.decodeServerEvent(wideDelta) },
    { name: 'bare JSON.parse and base64', run: () => bareDecode(delta) },
    { name: 'bare JSON.parse and base64, with Chinese text', run: () => bareDecode(wideDelta) },
    { name: 'encodeEvent', run: () => server.encodeServerEvent(sound, 'unified') },
  ]);
}

function bareEncode(samples: Float32Array): string {
  const audio = Buffer.from(samples.buffer).toString('base64');
  return JSON.stringify({ type: 'input.append', input: { audio } });
}

function bareDecode(text: string): Buffer {
  const frame = JSON.parse(text) as { readonly audio: string };
  return Buffer.from(frame.audio, 'base64');
}

/** A string in one piece, as a socket hands it over. */
function asReceived(text: string): string {
  return Buffer.from(text).toString();
}

function noise(samples: number): Float32Array {
  const random = seeded(1);
  return Float32Array.from({ length: samples }, () => random() - 0.5);
}

function kilobytes(text: string): string {
  return `${(text.length / 1000).toFixed(0)} KB`;
}
