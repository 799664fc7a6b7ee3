import type { AppError } from '../../shared/errors/app-error.ts';
import type { ExportForm, ExportOffer, ExportOrigin } from '../../shared/recordings/export-form.ts';

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

export type ExportStep =
  | { readonly kind: 'choosing'; readonly error?: AppError | undefined }
  /** From 0 to 1; nothing while it cannot be known. */
  | { readonly kind: 'working'; readonly part?: number | undefined; readonly stopping: boolean }
  | MadeStep;

export const defaultExportForm: ExportForm = 'md';
