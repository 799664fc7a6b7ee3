import { appError } from '../../shared/errors/app-error.ts';
import type { ExportResult } from '../../shared/export/export-origin.ts';
import { RequestRefusedError } from '../ipc/request-refused-error.ts';
import type { OpenFolder } from '../ports/open-folder.ts';
import type { Outcome } from '../ports/outcome.ts';

/** The folder of what was saved last: a page names no paths. */
export class SavedFolder {
  readonly #open: OpenFolder | undefined;
  #path: string | undefined;

  /** Without `open` the host has nothing to show a folder in. */
  constructor(open: OpenFolder | undefined) {
    this.#open = open;
  }

  readonly note = (kept: Outcome<ExportResult>): Outcome<ExportResult> => {
    if (kept.ok && kept.value.kind === 'file')
      this.#path = kept.value.path.replace(/[/\\][^/\\]*$/u, '');
    return kept;
  };

  readonly show = async (): Promise<{ readonly path: string; readonly opened: boolean }> => {
    const path = this.#path;
    if (path === undefined) throw new RequestRefusedError(appError('nothingExported'));
    return { path, opened: (await this.#open?.(path)) ?? false };
  };
}
