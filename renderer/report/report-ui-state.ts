import type { AppError } from '../../shared/errors/app-error.ts';
import type { PreparedReport, ReportOf } from '../../shared/recordings/problem-report.ts';
import type { MadeStep } from '../export/export-ui-state.ts';

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
    | MadeStep;
}
