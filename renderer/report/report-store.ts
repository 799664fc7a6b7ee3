import type { AppError } from '../../shared/errors/app-error.ts';
import type { PreparedReport, ReportOf } from '../../shared/app/program.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import { type ExportedStep, toExportedStep } from '../export/export-store.ts';

/** State of the report sheet. */
export interface ReportUiState {
  readonly source: ReportOf;
  readonly step:
    | { readonly kind: 'making' }
    | { readonly kind: 'failed'; readonly error: AppError }
    /** `error` is set if saving failed. */
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

export function createReportActions({ store, request, download }: Deps) {
  /** Increased on open and close, so that late replies are ignored. */
  let sheetId = 0;

  const step = (next: ReportUiState['step']): void => {
    const { reporting } = store.getState();
    if (reporting !== undefined) store.setState({ reporting: { ...reporting, step: next } });
  };

  return {
    /** Opens the sheet, which then prepares the report. */
    open: (source: ReportOf) => {
      store.setState({ reporting: { source, step: { kind: 'making' } } });
    },
    make: async (source: ReportOf): Promise<void> => {
      if (store.getState().reporting?.step.kind !== 'making') return;
      sheetId += 1;
      const ownId = sheetId;
      const reply = await request('prepareReport', { of: source });
      if (ownId !== sheetId) return;
      if (reply.ok) step({ kind: 'ready', report: reply.value, saving: false });
      else step({ kind: 'failed', error: reply.error });
    },
    /** Saves the recent sound as a tape and prepares the report again. */
    addRecent: async (): Promise<void> => {
      const now = store.getState().reporting?.step;
      if (now?.kind !== 'ready') return;
      const ownId = sheetId;
      const reply = await request('keepRecent', undefined);
      if (ownId !== sheetId) return;
      if (reply.ok)
        store.setState({ reporting: { source: { kind: 'shown' }, step: { kind: 'making' } } });
      else step({ ...now, error: reply.error });
    },
    save: async (): Promise<void> => {
      const now = store.getState().reporting?.step;
      if (now?.kind !== 'ready' || now.saving) return;
      const ownId = sheetId;
      step({ ...now, saving: true, error: undefined });
      const reply = await request('saveReport', undefined);
      if (reply.ok && reply.value.kind === 'download') download(reply.value.href, reply.value.name);
      if (ownId !== sheetId) return;
      if (!reply.ok) step({ ...now, error: reply.error });
      else step(toExportedStep(reply.value) ?? now);
    },
    showFolder: async (): Promise<void> => {
      const now = store.getState().reporting?.step;
      if (now?.kind !== 'saved') return;
      const reply = await request('showSaved', { of: 'report' });
      if (reply.ok && !reply.value.opened) step({ ...now, folderPath: reply.value.path });
      else if (!reply.ok) step({ kind: 'failed', error: reply.error });
    },
    close: () => {
      sheetId += 1;
      store.setState({ reporting: undefined });
      void request('dropReport', undefined);
    },
  };
}
