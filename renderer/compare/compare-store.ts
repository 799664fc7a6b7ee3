import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  ComparableTape,
  ComparedTapes,
  RerunProgress,
} from '../../shared/recordings/tape-comparison.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';

export interface CompareUiState {
  readonly tape: string;
  readonly title: string;
  readonly tapes: readonly ComparableTape[] | undefined;
  readonly other: string | undefined;
  /** The server for a rerun; undefined means the chosen server. */
  readonly server: string | undefined;
  readonly step: CompareStep;
}

export type CompareStep =
  | { readonly kind: 'choosing'; readonly error?: AppError | undefined }
  | {
      readonly kind: 'running';
      readonly progress: RerunProgress | undefined;
      readonly stopping: boolean;
    }
  | { readonly kind: 'comparing' }
  | { readonly kind: 'compared'; readonly compared: ComparedTapes };

interface WithComparing {
  readonly comparing: CompareUiState | undefined;
}

export function applyRerunProgress(
  { comparing }: WithComparing,
  progress: RerunProgress,
): Partial<WithComparing> {
  if (comparing?.step.kind !== 'running') return {};
  return { comparing: { ...comparing, step: { ...comparing.step, progress } } };
}

interface Deps {
  readonly store: Store<WithComparing>;
  readonly request: Bridge['request'];
}

export function createCompareActions({ store, request }: Deps) {
  /** Counts sheets, so that a late reply for a closed one is ignored. */
  let sheetId = 0;

  const change = (part: Partial<CompareUiState>): void => {
    const { comparing } = store.getState();
    if (comparing !== undefined) store.setState({ comparing: { ...comparing, ...part } });
  };
  const setStep = (step: CompareStep): void => change({ step });
  const readTapes = async (tape: string, ownId: number, error?: AppError): Promise<void> => {
    const reply = await request('comparableTapes', { tape });
    if (ownId !== sheetId) return;
    if (!reply.ok) setStep({ kind: 'choosing', error: error ?? reply.error });
    else {
      const before = store.getState().comparing?.other;
      const isListed = reply.value.some((other) => other.tape === before);
      change({ tapes: reply.value, other: isListed ? before : reply.value[0]?.tape });
    }
  };
  const compareWith = async (tape: string, other: string, ownId: number): Promise<void> => {
    setStep({ kind: 'comparing' });
    const reply = await request('compareTapes', { tape, other });
    if (ownId !== sheetId) return;
    setStep(
      reply.ok
        ? { kind: 'compared', compared: reply.value }
        : { kind: 'choosing', error: reply.error },
    );
  };

  return {
    open: async (tape: string, title: string): Promise<void> => {
      sheetId += 1;
      const comparing: CompareUiState = {
        tape,
        title,
        tapes: undefined,
        other: undefined,
        server: undefined,
        step: { kind: 'choosing' },
      };
      store.setState({ comparing });
      await readTapes(tape, sheetId);
    },
    choose: (other: string) => change({ other }),
    chooseServer: (server: string) => change({ server }),
    compare: async (): Promise<void> => {
      const { comparing } = store.getState();
      if (comparing?.other === undefined || comparing.step.kind !== 'choosing') return;
      await compareWith(comparing.tape, comparing.other, sheetId);
    },
    /** Sends the user's side of the talk to a server again, and compares the result. */
    rerun: async (server: string): Promise<void> => {
      const { comparing } = store.getState();
      if (comparing?.step.kind !== 'choosing') return;
      const ownId = sheetId;
      const { tape } = comparing;
      setStep({ kind: 'running', progress: undefined, stopping: false });
      const reply = await request('rerunTape', { tape, server });
      if (ownId !== sheetId) return;
      if (reply.ok) {
        change({ other: reply.value.tape });
        await compareWith(tape, reply.value.tape, ownId);
      } else {
        // A user who stopped the rerun needs no error.
        const wasStopped = reply.error.code === 'rerunStopped';
        const error = wasStopped ? undefined : reply.error;
        setStep({ kind: 'choosing', error });
        await readTapes(tape, ownId, error);
      }
    },
    stop: async (): Promise<void> => {
      const step = store.getState().comparing?.step;
      if (step?.kind !== 'running') return;
      setStep({ ...step, stopping: true });
      await request('stopRerun', undefined);
    },
    again: async (): Promise<void> => {
      const { comparing } = store.getState();
      if (comparing === undefined) return;
      setStep({ kind: 'choosing' });
      await readTapes(comparing.tape, sheetId);
    },
    close: () => {
      const isRunning = store.getState().comparing?.step.kind === 'running';
      sheetId += 1;
      store.setState({ comparing: undefined });
      if (isRunning) void request('stopRerun', undefined);
    },
  };
}
