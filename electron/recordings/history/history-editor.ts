import type { Failure, Outcome } from '../../../shared/errors/app-error.ts';
import type { HistoryKind, HistoryRef } from '../../../shared/recordings/history-item.ts';
import type { IndexSync } from './index-sync.ts';

export interface HistoryChanger {
  readonly rename: (id: string, title: string) => Promise<Outcome<undefined>>;
  readonly pin: (id: string, pinned: boolean) => Promise<Outcome<undefined>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}

/** Renames, pins and deletes stored talks and conversations, and updates the index. */
export class HistoryEditor {
  readonly #changers: Readonly<Record<HistoryKind, HistoryChanger>>;
  readonly #sync: Pick<IndexSync, 'update' | 'forget'>;

  constructor(
    changers: Readonly<Record<HistoryKind, HistoryChanger>>,
    sync: Pick<IndexSync, 'update' | 'forget'>,
  ) {
    this.#changers = changers;
    this.#sync = sync;
  }

  rename(ref: HistoryRef, title: string): Promise<Outcome<undefined>> {
    return this.#change(ref, ({ rename }) => rename(ref.id, title.trim()));
  }

  pin(ref: HistoryRef, pinned: boolean): Promise<Outcome<undefined>> {
    return this.#change(ref, ({ pin }) => pin(ref.id, pinned));
  }

  /** Deletes for good: first the folders, then the index entries. A failure does not stop the others. */
  async remove(refs: readonly HistoryRef[]): Promise<Outcome<undefined>> {
    const removed: HistoryRef[] = [];
    let failed: Failure | undefined;
    for (const { kind, id } of refs) {
      const outcome = await this.#changers[kind].remove(id);
      if (outcome.ok) removed.push({ kind, id });
      else failed ??= outcome;
    }
    const forgotten = await this.#sync.forget(removed);
    return failed ?? forgotten;
  }

  async #change(
    { kind, id }: HistoryRef,
    change: (changer: HistoryChanger) => Promise<Outcome<undefined>>,
  ): Promise<Outcome<undefined>> {
    const changed = await change(this.#changers[kind]);
    if (changed.ok) await this.#sync.update({ kind, id });
    return changed;
  }
}
