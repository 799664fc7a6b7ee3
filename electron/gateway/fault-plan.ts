import type { Fault, FaultStep } from './gateway.ts';

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** What goes wrong with one connection. */
export interface FaultPlan {
  readonly find: <Kind extends Fault['kind']>(kind: Kind) => FaultOf<Kind> | undefined;
  /** Everything that happens to this step, in the order it was written down. */
  readonly atStep: (step: FaultStep) => readonly Fault[];
}

export function planFaults(faults: readonly Fault[], session: number): FaultPlan {
  const mine = faults.filter((fault) => fault.session === undefined || fault.session === session);
  return {
    find: <Kind extends Fault['kind']>(kind: Kind) =>
      mine.find((fault): fault is FaultOf<Kind> => fault.kind === kind),
    atStep: (step) => mine.filter((fault) => concerns(fault, step)),
  };
}

function concerns(fault: Fault, step: FaultStep): boolean {
  if (!('atStep' in fault)) return false;
  if (fault.kind === 'stall') return rank(step) >= rank(fault.atStep);
  return fault.atStep === step;
}

/** Where a step stands among all that happens to a connection. */
function rank(step: FaultStep): number {
  if (step === 'admission') return -1;
  return step === 'creation' ? 0 : step;
}
