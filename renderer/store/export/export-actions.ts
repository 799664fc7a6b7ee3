import { madeStep } from './made-step.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import type { ExportForm } from '../../../shared/export/export-form.ts';
import type { ExportOrigin } from '../../../shared/export/export-origin.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';
import { defaultExportForm } from './export-ui-state.ts';
import type { ExportStep, ExportUiState } from './export-ui-state.ts';

interface Deps {
  readonly store: Store<UiState>;
  readonly request: Bridge['request'];
  /** Has the browser fetch what was made for it. */
  readonly download: (href: string, name: string) => void;
}

/** What a person can do to have a file of what is kept. */
export function createExportActions({ store, request, download }: Deps) {
  /** What was chosen the last time is likely to be wanted again. */
  let last: ExportForm = defaultExportForm;
  /** A sheet that was closed meanwhile takes no reply. */
  let opened = 0;

  const change = (part: Partial<ExportUiState>): void => {
    const { exporting } = store.getState();
    if (exporting !== undefined) store.setState({ exporting: { ...exporting, ...part } });
  };
  const step = (next: ExportStep): void => {
    change({ step: next });
  };

  return {
    open: async (origin: ExportOrigin, title: string): Promise<void> => {
      opened += 1;
      const mine = opened;
      const exporting: ExportUiState = {
        origin,
        title,
        offer: undefined,
        as: last,
        mix: false,
        step: { kind: 'choosing' },
      };
      store.setState({ exporting });
      const offer = await request('exportOffer', { origin });
      if (mine !== opened) return;
      if (!offer.ok) step({ kind: 'choosing', error: offer.error });
      else {
        const { forms } = offer.value;
        change({ offer: offer.value, as: forms.includes(last) ? last : defaultExportForm });
      }
    },
    choose: (as: ExportForm) => {
      last = as;
      change({ as, step: { kind: 'choosing' } });
    },
    setMix: (mix: boolean) => {
      change({ mix });
    },
    /** Asks where, makes it, and says what became of it. */
    save: async (): Promise<void> => {
      const { exporting } = store.getState();
      if (exporting === undefined || exporting.step.kind === 'working') return;
      const mine = opened;
      const { origin, as, mix } = exporting;
      step({ kind: 'working', stopping: false });
      const reply = await request('exportFile', { origin, as, mix });
      if (reply.ok && reply.value.kind === 'download') download(reply.value.href, reply.value.name);
      if (mine !== opened) return;
      step(reply.ok ? (madeStep(reply.value) ?? { kind: 'choosing' }) : choosingAgain(reply.error));
    },
    /** What was made so far goes, and nothing of it is left. */
    stop: async (): Promise<void> => {
      const now = store.getState().exporting?.step;
      if (now?.kind !== 'working') return;
      step({ ...now, stopping: true });
      await request('stopExport', undefined);
    },
    showFolder: async (): Promise<void> => {
      const now = store.getState().exporting?.step;
      if (now?.kind !== 'saved') return;
      const reply = await request('showSaved', undefined);
      if (!reply.ok) step({ kind: 'choosing', error: reply.error });
      else if (!reply.value.opened) step({ ...now, shown: reply.value.path });
    },
    close: () => {
      const working = store.getState().exporting?.step.kind === 'working';
      opened += 1;
      store.setState({ exporting: undefined });
      if (working) void request('stopExport', undefined);
    },
  };
}

/** Whoever has stopped it knows why it stopped. */
function choosingAgain(error: AppError): ExportStep {
  return error.code === 'exportStopped' ? { kind: 'choosing' } : { kind: 'choosing', error };
}
