import type { AppError } from '../../shared/errors/app-error.ts';
import type { PreparedReport, ReportOf } from '../../shared/recordings/problem-report.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import { type ExportedStep, toExportedStep } from '../export/export-store.ts';

/** The sheet in which a report of a problem is looked at and saved. */
export interface ReportUiState {
  readonly of: ReportOf;
  readonly step:
    | { readonly kind: 'making' }
    | { readonly kind: 'failed'; readonly error: AppError }
    /** `error`: why it could not be saved. */
    | {
        readonly kind: 'ready';
        readonly report: PreparedReport;
        readonly saving: boolean;
        readonly error?: AppError | undefined;
      }
    | ExportedStep;
}

interface Deps {
  readonly store: Store<{ readonly reporting: ReportUiState | undefined }>;
  readonly request: Bridge['request'];
  readonly download: (href: string, name: string) => void;
}

/** What a person can do to tell of a problem. */
export function createReportActions({ store, request, download }: Deps) {
  /** A sheet that was closed meanwhile takes no reply. */
  let opened = 0;

  const step = (next: ReportUiState['step']): void => {
    const { reporting } = store.getState();
    if (reporting !== undefined) store.setState({ reporting: { ...reporting, step: next } });
  };

  return {
    /** Its sheet has it made. */
    open: (of: ReportOf) => {
      store.setState({ reporting: { of, step: { kind: 'making' } } });
    },
    make: async (of: ReportOf): Promise<void> => {
      if (store.getState().reporting?.step.kind !== 'making') return;
      opened += 1;
      const mine = opened;
      const reply = await request('prepareReport', { of });
      if (mine !== opened) return;
      if (reply.ok) step({ kind: 'ready', report: reply.value, saving: false });
      else step({ kind: 'failed', error: reply.error });
    },
    /** Makes a tape of what is still held of the talk that is shown, and the report anew. */
    addRecent: async (): Promise<void> => {
      const now = store.getState().reporting?.step;
      if (now?.kind !== 'ready') return;
      const mine = opened;
      const reply = await request('keepRecent', undefined);
      if (mine !== opened) return;
      if (reply.ok)
        store.setState({ reporting: { of: { kind: 'shown' }, step: { kind: 'making' } } });
      else step({ ...now, error: reply.error });
    },
    save: async (): Promise<void> => {
      const now = store.getState().reporting?.step;
      if (now?.kind !== 'ready' || now.saving) return;
      const mine = opened;
      step({ ...now, saving: true, error: undefined });
      const reply = await request('saveReport', undefined);
      if (reply.ok && reply.value.kind === 'download') download(reply.value.href, reply.value.name);
      if (mine !== opened) return;
      if (!reply.ok) step({ ...now, error: reply.error });
      else step(toExportedStep(reply.value) ?? now);
    },
    showFolder: async (): Promise<void> => {
      const now = store.getState().reporting?.step;
      if (now?.kind !== 'saved') return;
      const reply = await request('showSaved', undefined);
      if (reply.ok && !reply.value.opened) step({ ...now, shown: reply.value.path });
      else if (!reply.ok) step({ kind: 'failed', error: reply.error });
    },
    close: () => {
      opened += 1;
      store.setState({ reporting: undefined });
      void request('dropReport', undefined);
    },
  };
}
