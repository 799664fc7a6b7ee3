import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  ComparableTape,
  ComparedTapes,
  RerunProgress,
} from '../../shared/recordings/tape-comparison.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';

/** The sheet in which a talk is held against another one. */
export interface CompareUiState {
  readonly tape: string;
  /** What its talk is called. */
  readonly title: string;
  /** The others that are kept; none until they have come. */
  readonly tapes: readonly ComparableTape[] | undefined;
  readonly other: string | undefined;
  /** The server that is asked again; none where nobody chose one: the one that is talked with. */
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

/** What a person can do to hold a talk against another one. */
export function createCompareActions({ store, request }: Deps) {
  /** A sheet that was closed meanwhile takes no reply. */
  let opened = 0;

  const change = (part: Partial<CompareUiState>): void => {
    const { comparing } = store.getState();
    if (comparing !== undefined) store.setState({ comparing: { ...comparing, ...part } });
  };
  const step = (next: CompareStep): void => {
    change({ step: next });
  };
  const readTapes = async (tape: string, mine: number, error?: AppError): Promise<void> => {
    const reply = await request('comparableTapes', { tape });
    if (mine !== opened) return;
    if (!reply.ok) step({ kind: 'choosing', error: error ?? reply.error });
    else {
      const before = store.getState().comparing?.other;
      const known = reply.value.some((one) => one.tape === before);
      change({ tapes: reply.value, other: known ? before : reply.value[0]?.tape });
    }
  };
  const compareWith = async (tape: string, other: string, mine: number): Promise<void> => {
    step({ kind: 'comparing' });
    const reply = await request('compareTapes', { tape, other });
    if (mine !== opened) return;
    step(
      reply.ok
        ? { kind: 'compared', compared: reply.value }
        : { kind: 'choosing', error: reply.error },
    );
  };

  return {
    open: async (tape: string, title: string): Promise<void> => {
      opened += 1;
      const comparing: CompareUiState = {
        tape,
        title,
        tapes: undefined,
        other: undefined,
        server: undefined,
        step: { kind: 'choosing' },
      };
      store.setState({ comparing });
      await readTapes(tape, opened);
    },
    choose: (other: string) => {
      change({ other });
    },
    chooseServer: (server: string) => {
      change({ server });
    },
    compare: async (): Promise<void> => {
      const { comparing } = store.getState();
      if (comparing?.other === undefined || comparing.step.kind !== 'choosing') return;
      await compareWith(comparing.tape, comparing.other, opened);
    },
    /** Sends it to a server again, and compares what came of it. */
    rerun: async (server: string): Promise<void> => {
      const { comparing } = store.getState();
      if (comparing?.step.kind !== 'choosing') return;
      const mine = opened;
      const { tape } = comparing;
      step({ kind: 'running', progress: undefined, stopping: false });
      const reply = await request('rerunTape', { tape, server });
      if (mine !== opened) return;
      if (reply.ok) {
        change({ other: reply.value.tape });
        await compareWith(tape, reply.value.tape, mine);
      } else {
        // Whoever has stopped it knows why it stopped.
        const stopped = reply.error.code === 'rerunStopped';
        const error = stopped ? undefined : reply.error;
        step({ kind: 'choosing', error });
        await readTapes(tape, mine, error);
      }
    },
    stop: async (): Promise<void> => {
      const now = store.getState().comparing?.step;
      if (now?.kind !== 'running') return;
      step({ ...now, stopping: true });
      await request('stopRerun', undefined);
    },
    /** To another one, with the same talk. */
    again: async (): Promise<void> => {
      const { comparing } = store.getState();
      if (comparing === undefined) return;
      step({ kind: 'choosing' });
      await readTapes(comparing.tape, opened);
    },
    close: () => {
      const running = store.getState().comparing?.step.kind === 'running';
      opened += 1;
      store.setState({ comparing: undefined });
      if (running) void request('stopRerun', undefined);
    },
  };
}
