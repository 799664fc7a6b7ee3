import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  ExportFormat,
  ExportLanguage,
  ExportOffer,
  ExportOrigin,
  ExportResult,
} from '../../shared/recordings/export-format.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';

export interface ExportUiState {
  readonly origin: ExportOrigin;
  readonly title: string;
  readonly offer: ExportOffer | undefined;
  readonly format: ExportFormat;
  readonly mix: boolean;
  readonly step: ExportStep;
}

/** The file was saved, or the browser downloads it. `folderPath` is shown by hosts that cannot open folders. */
export type ExportedStep =
  | { readonly kind: 'saved'; readonly path: string; readonly folderPath?: string | undefined }
  | { readonly kind: 'downloaded'; readonly name: string };

type ExportStep =
  | { readonly kind: 'choosing'; readonly error?: AppError | undefined }
  /** Progress from 0 to 1; undefined while it is unknown. */
  | { readonly kind: 'working'; readonly fraction?: number | undefined; readonly stopping: boolean }
  | ExportedStep;

const defaultFormat: ExportFormat = 'md';

interface Deps {
  readonly store: Store<{ readonly exporting: ExportUiState | undefined }>;
  readonly request: Bridge['request'];
  readonly download: (href: string, name: string) => void;
}

export function createExportActions({ store, request, download }: Deps) {
  /** Preselected next time. */
  let lastFormat: ExportFormat = defaultFormat;
  /** Counts dialogs, so that a late reply for a closed one is ignored. */
  let sheetId = 0;

  const change = (part: Partial<ExportUiState>): void => {
    const { exporting } = store.getState();
    if (exporting !== undefined) store.setState({ exporting: { ...exporting, ...part } });
  };
  const setStep = (step: ExportStep): void => change({ step });

  return {
    open: async (origin: ExportOrigin, title: string): Promise<void> => {
      sheetId += 1;
      const ownId = sheetId;
      const exporting: ExportUiState = {
        origin,
        title,
        offer: undefined,
        format: lastFormat,
        mix: false,
        step: { kind: 'choosing' },
      };
      store.setState({ exporting });
      const offer = await request('exportOffer', { origin });
      if (ownId !== sheetId) return;
      if (!offer.ok) setStep({ kind: 'choosing', error: offer.error });
      else {
        const { formats } = offer.value;
        change({
          offer: offer.value,
          format: formats.includes(lastFormat) ? lastFormat : defaultFormat,
        });
      }
    },
    choose: (format: ExportFormat) => {
      lastFormat = format;
      change({ format, step: { kind: 'choosing' } });
    },
    setMix: (mix: boolean) => change({ mix }),
    save: async (language: ExportLanguage): Promise<void> => {
      const { exporting } = store.getState();
      if (exporting === undefined || exporting.step.kind === 'working') return;
      const ownId = sheetId;
      const { origin, format, mix } = exporting;
      setStep({ kind: 'working', stopping: false });
      const reply = await request('exportFile', { origin, format, mix, language });
      if (reply.ok && reply.value.kind === 'download') download(reply.value.href, reply.value.name);
      if (ownId !== sheetId) return;
      setStep(
        reply.ok ? (toExportedStep(reply.value) ?? { kind: 'choosing' }) : toChoosing(reply.error),
      );
    },
    /** Stops the export; the core deletes the partial file. */
    stop: async (): Promise<void> => {
      const step = store.getState().exporting?.step;
      if (step?.kind !== 'working') return;
      setStep({ ...step, stopping: true });
      await request('stopExport', undefined);
    },
    showFolder: async (): Promise<void> => {
      const step = store.getState().exporting?.step;
      if (step?.kind !== 'saved') return;
      const reply = await request('showSaved', { of: 'export' });
      if (!reply.ok) setStep({ kind: 'choosing', error: reply.error });
      else if (!reply.value.opened) setStep({ ...step, folderPath: reply.value.path });
    },
    close: () => {
      const working = store.getState().exporting?.step.kind === 'working';
      sheetId += 1;
      store.setState({ exporting: undefined });
      if (working) void request('stopExport', undefined);
    },
  };
}

/** A user who stopped the export needs no error. */
function toChoosing(error: AppError): ExportStep {
  return error.code === 'exportStopped' ? { kind: 'choosing' } : { kind: 'choosing', error };
}

/** Undefined if the user cancelled. */
export function toExportedStep(result: ExportResult): ExportedStep | undefined {
  if (result.kind === 'file') return { kind: 'saved', path: result.path };
  return result.kind === 'download' ? { kind: 'downloaded', name: result.name } : undefined;
}

/** Downloads a file that the host serves; its response headers say that it is an attachment. */
export function startDownload(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
