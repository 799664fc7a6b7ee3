import type { ServerCodec } from '../../shared/protocol/server-codec.ts';
import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { DialectName } from '../../shared/protocol/dialect-and-mode.ts';
import type { OutputEvent } from '../../shared/protocol/server-event.ts';
import type { Garbage } from './gateway.ts';

const hugeLength = 3 * 1024 * 1024;

/** What a broken server might send instead of an answer: frames of text, or bytes. */
export function garbageFrames(
  what: Garbage,
  codec: ServerCodec,
  dialect: DialectName,
): readonly (string | Uint8Array)[] {
  const output = (payload: Partial<OutputEvent>): readonly string[] =>
    codec.encodeServerEvent({ kind: 'output', wire: dialect, ...payload }, dialect);
  switch (what) {
    case 'text':
      return ['<html><body>502 Bad Gateway</body></html>'];
    case 'binary':
      return [Uint8Array.of(0, 1, 2, 3, 254, 255)];
    case 'nan':
      return output({ text: '', audio: new Float32Array(outputRate / 10).fill(Number.NaN) });
    case 'brokenBase64':
      return [
        JSON.stringify({ ...outputHead(dialect, 'audio'), audio: '@@ this is no base64 @@' }),
      ];
    case 'textAsNumber':
      return [JSON.stringify({ ...outputHead(dialect, 'text'), text: 42 })];
    case 'huge':
      return output({ text: 'All work and no play. '.repeat(hugeLength / 22) });
    case 'unknownEvent':
      return [JSON.stringify({ type: 'response.unit.started', unit: { id: 'unit_1' } })];
    case 'cutJson':
      return [JSON.stringify({ ...outputHead(dialect, 'text'), text: 'cut in the' }).slice(0, -8)];
  }
}

// Written out by hand, because no codec would say anything so wrong.
function outputHead(
  dialect: DialectName,
  kind: 'text' | 'audio',
): Readonly<Record<string, unknown>> {
  return dialect === 'unified'
    ? { type: 'response.output.delta', kind }
    : { type: 'response.output_audio.delta', text: '', audio: '', end_of_turn: false };
}
