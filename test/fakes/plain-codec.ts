import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { ClientEvent } from '../../shared/protocol/realtime-api.ts';
import { parseJsonObject } from '../../shared/protocol/json.ts';
import { createOlderChatCodec, type ServerCodec } from '../../shared/protocol/server-codec.ts';

/**
 * Lets tests of the gateway send and read Parley's own event types as JSON, without either dialect of the wire. A `dialect`
 * field makes a message valid in that dialect only.
 */
export const plainServerCodec: ServerCodec = {
  olderChat: createOlderChatCodec(bufferBase64),
  encodeServerEvent: (event) => [writePlain(event)],
  decodeClientEvent: (text, dialect) => {
    const raw = parseJsonObject(text);
    if (raw === undefined) return { kind: 'problem', code: 'bad_json', message: 'not JSON' };
    const known = ['configure', 'append', 'chat', 'close'].some((kind) => kind === raw['kind']);
    if (!known || (raw['dialect'] ?? dialect) !== dialect) {
      return { kind: 'problem', code: 'unknown_event', message: 'unknown event kind' };
    }
    try {
      return JSON.parse(text, revive) as ClientEvent;
    } catch {
      return { kind: 'problem', code: 'invalid_payload', message: 'media cannot be decoded' };
    }
  },
};

export function writePlain(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Float32Array) return { $floats: base64(part) };
    return part instanceof Uint8Array ? { $bytes: base64(part) } : part;
  });
}

export function readPlain(text: string): unknown {
  return JSON.parse(text, revive);
}

function revive(_key: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if ('$floats' in part) {
    return new Float32Array(Uint8Array.from(bytesOf(part.$floats)).buffer);
  }
  return '$bytes' in part ? Uint8Array.from(bytesOf(part.$bytes)) : part;
}

function base64({ buffer, byteOffset, byteLength }: Float32Array | Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function bytesOf(text: unknown): Buffer {
  return Buffer.from(String(text), 'base64');
}
