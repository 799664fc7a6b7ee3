import type { ExportResult } from '../export/export-origin.ts';
import type { PreparedReport, ReportOf } from '../report/problem-report.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of reports of a problem. Nothing is ever sent, and nothing saved that was not shown. */
export interface ReportRequests {
  readonly prepareReport: {
    readonly input: { readonly of: ReportOf };
    readonly value: PreparedReport;
  };
  /** Asks the person where. */
  readonly saveReport: { readonly input: Nothing; readonly value: ExportResult };
  readonly dropReport: { readonly input: Nothing; readonly value: Nothing };
}
