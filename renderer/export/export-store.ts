import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  ExportForm,
  ExportOffer,
  ExportOrigin,
  ExportResult,
} from '../../shared/recordings/export-form.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';

/** The sheet in which a file is made of something that is kept. */
export interface ExportUiState {
  readonly origin: ExportOrigin;
  /** What it is called. */
  readonly title: string;
  /** None until it has come. */
  readonly offer: ExportOffer | undefined;
  readonly as: ExportForm;
  readonly mix: boolean;
  readonly step: ExportStep;
}

/** It was made. `shown`: where it is, for a host that has nothing to show a folder in. */
export type MadeStep =
  | { readonly kind: 'saved'; readonly path: string; readonly shown?: string | undefined }
  | { readonly kind: 'downloaded'; readonly name: string };

type ExportStep =
  | { readonly kind: 'choosing'; readonly error?: AppError | undefined }
  /** From 0 to 1; nothing while it cannot be known. */
  | { readonly kind: 'working'; readonly part?: number | undefined; readonly stopping: boolean }
  | MadeStep;

const defaultExportForm: ExportForm = 'md';

interface Deps {
  readonly store: Store<{ readonly exporting: ExportUiState | undefined }>;
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

/** Nothing where the person thought better of it. */
export function madeStep(result: ExportResult): MadeStep | undefined {
  if (result.kind === 'file') return { kind: 'saved', path: result.path };
  return result.kind === 'download' ? { kind: 'downloaded', name: result.name } : undefined;
}

/** Has the browser fetch a file that the host holds ready; the host's answer says that it is to be saved. */
export function startDownload(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
