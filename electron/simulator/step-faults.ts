import type { Fault } from './gateway.ts';
import { makeGarbage } from './garbage.ts';
import { closeCodeAfter } from './manners.ts';
import type { Visit } from './visit.ts';

/** What the faults of a step may do to its connection. */
export interface StepVictim {
  readonly cut: () => void;
  readonly fail: (code: string, message: string, closeCode: number) => void;
}

/** Lets the step's faults happen and says whether an answer is still to be given. */
export function sufferFaults(visit: Visit, step: number, victim: StepVictim): boolean {
  return visit.faults.atStep(step).every((fault) => suffer(visit, fault, victim));
}

function suffer(visit: Visit, fault: Fault, victim: StepVictim): boolean {
  switch (fault.kind) {
    case 'drop':
      victim.cut();
      return false;
    case 'garbage':
      sendGarbage(visit, fault.what);
      return false;
    case 'error':
      return sendError(visit, fault.code, victim);
    case 'stall':
      return false;
    case 'delay':
    case 'shortFirstChunk':
    case 'handover403':
    case 'neverCreated':
    case 'workerDown':
    case 'refuse':
    case 'shutdown':
      // These belong to no step.
      return true;
  }
}

function sendGarbage({ needs, options, outbox }: Visit, what: Parameters<typeof makeGarbage>[0]) {
  for (const frame of makeGarbage(what, needs.codec, options.dialect)) {
    if (typeof frame === 'string') outbox.send(frame);
    else outbox.sendBinary(frame);
  }
}

function sendError({ tell }: Visit, code: string, victim: StepVictim): boolean {
  const message = `scripted fault: ${code}`;
  const closeCode = closeCodeAfter(code);
  if (closeCode !== undefined) {
    victim.fail(code, message, closeCode);
    return false;
  }
  // The step has failed: nothing else comes of it.
  tell({ kind: 'error', code, message, type: 'server_error' });
  return false;
}
