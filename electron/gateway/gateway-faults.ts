import {
  encodeGeneration,
  type SessionSettings,
  type DialectName,
  outputRate,
  type OutputEvent,
} from '../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../shared/protocol/server-codec.ts';
import type { ConnectionContext } from './connection-context.ts';
import type { RequestProblem } from './gateway-model.ts';
import {
  type Fault,
  type FaultPlan,
  type FaultStep,
  type Garbage,
  closeCodeAfter,
} from './gateway-options.ts';

/** The connection that a fault disturbs. */
export interface FaultTarget {
  readonly cut: () => void;
  readonly fail: (code: string, message: string, closeCode: number) => void;
  readonly finish: (reason: string) => void;
}

/** Applies the step's faults. Returns true if the normal answer must still be sent. */
export function applyStepFaults(
  connectionContext: ConnectionContext,
  step: FaultStep,
  target: FaultTarget,
): boolean {
  return connectionContext.faults
    .atStep(step)
    .every((fault) => applyFault(connectionContext, fault, target));
}

function applyFault(
  connectionContext: ConnectionContext,
  fault: Fault,
  target: FaultTarget,
): boolean {
  switch (fault.kind) {
    case 'drop':
      target.cut();
      return false;
    case 'garbage':
      sendGarbage(connectionContext, fault.what);
      return false;
    case 'closed':
      target.finish(fault.reason);
      return false;
    case 'error':
      return sendError(connectionContext, fault.code, target);
    case 'stall':
      return false;
    case 'delay':
    case 'shortFirstChunk':
    case 'lateSound':
    case 'lostListens':
    case 'onlyListens':
    case 'handover403':
    case 'neverCreated':
    case 'refusedField':
    case 'wedge':
    case 'workerDown':
    case 'refuse':
    case 'shutdown':
      // These faults do not apply to a single step.
      return true;
  }
}

function sendGarbage(
  { deps, options, outbox }: ConnectionContext,
  what: Parameters<typeof garbageFrames>[0],
) {
  for (const frame of garbageFrames(what, deps.codec, options.dialect)) {
    if (typeof frame === 'string') outbox.send(frame);
    else outbox.sendBinary(frame);
  }
}

function sendError({ emit }: ConnectionContext, code: string, target: FaultTarget): boolean {
  const message = `scripted fault: ${code}`;
  const closeCode = closeCodeAfter(code);
  if (closeCode !== undefined) {
    target.fail(code, message, closeCode);
    return false;
  }
  // The error replaces the step's answer.
  emit({ kind: 'error', code, message, type: 'server_error' });
  return false;
}

const hugeLength = 3 * 1024 * 1024;

/** Malformed frames, text or binary, that a broken server might send instead of an answer. */
function garbageFrames(
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

// Written by hand, because a codec cannot encode an invalid event.
function outputHead(
  dialect: DialectName,
  kind: 'text' | 'audio',
): Readonly<Record<string, unknown>> {
  return dialect === 'unified'
    ? { type: 'response.output.delta', kind }
    : { type: 'response.output_audio.delta', text: '', audio: '', end_of_turn: false };
}

/** The problem that the `refusedField` fault reports, if the settings contain that field. */
export function refusedFieldProblem(
  { generation }: SessionSettings,
  faults: FaultPlan,
): RequestProblem | undefined {
  const field = faults.find('refusedField')?.field;
  if (field === undefined || !Object.hasOwn(encodeGeneration(generation ?? {}), field))
    return undefined;
  return { code: 'invalid_payload', message: `got an unexpected keyword argument '${field}'` };
}
