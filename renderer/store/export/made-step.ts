import type { ExportResult } from '../../../shared/export/export-origin.ts';
import type { MadeStep } from './export-ui-state.ts';

/** Nothing where the person thought better of it. */
export function madeStep(result: ExportResult): MadeStep | undefined {
  if (result.kind === 'file') return { kind: 'saved', path: result.path };
  return result.kind === 'download' ? { kind: 'downloaded', name: result.name } : undefined;
}
