import type { Fault, FaultStep } from './gateway.ts';
import { garbageFrames } from './garbage-frames.ts';
import { closeCodeAfter } from './server-profile.ts';
import type { ConnectionContext } from './connection-context.ts';

/** What the faults of a step may do to its connection. */
export interface FaultTarget {
  readonly cut: () => void;
  readonly fail: (code: string, message: string, closeCode: number) => void;
  readonly finish: (reason: string) => void;
}

/** Lets the step's faults happen and says whether an answer is still to be given. */
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
      // These belong to no step.
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
  // The step has failed: nothing else comes of it.
  emit({ kind: 'error', code, message, type: 'server_error' });
  return false;
}
