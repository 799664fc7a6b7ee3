import { failure } from '../../shared/errors/app-error.ts';
import type { JournalFile } from '../../shared/ports/files.ts';

/** Journals of this process and of earlier ones, in memory. */
export class FakeJournalFile implements JournalFile {
  text: string | undefined;
  earlierTexts: readonly string[] = [];
  full = false;

  readonly write: JournalFile['write'] = async (text) => {
    await Promise.resolve();
    if (this.full) return failure('diskFull', { path: 'journal' });
    this.text = text;
    return { ok: true, value: undefined };
  };

  readonly remove = async (): Promise<void> => {
    await Promise.resolve();
    this.text = undefined;
  };

  readonly readStale = async (): Promise<readonly string[]> => {
    await Promise.resolve();
    return this.earlierTexts;
  };

  readonly removeStale = async (): Promise<void> => {
    await Promise.resolve();
    this.earlierTexts = [];
  };
}
