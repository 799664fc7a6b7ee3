import type { AppError, Failure } from '../../shared/errors/app-error.ts';
import type { TalkSource } from '../history/talk-source.ts';
import type { IndexSync } from '../history/index-sync.ts';
import type { Clock } from '../ports/clock.ts';
import type { DataFolder } from '../ports/files.ts';
import type { Retention } from './retention.ts';
import type { Trash } from './trash.ts';

interface Deps {
  readonly source: Pick<TalkSource, 'list' | 'record'>;
  readonly folder: DataFolder;
  readonly retention: Pick<Retention, 'cutoff'>;
  readonly trash: Pick<Trash, 'put' | 'tidy'>;
  readonly sync: Pick<IndexSync, 'forget'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly trouble: (error: AppError) => void;
}

/** A start has better things to do. */
const afterStartMs = 30_000;

/** Puts into the trash the text of talks that has been kept for as long as the person wants. Pinned ones stay. */
export class TalkRetention {
  readonly #deps: Deps;
  #stop: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  begin(): void {
    this.#stop ??= this.#deps.clock.after(afterStartMs, () => {
      void this.tidy();
    });
  }

  end(): void {
    this.#stop?.();
  }

  async tidy(): Promise<void> {
    const { source, folder, retention, trash, sync, trouble } = this.#deps;
    const emptied = await trash.tidy();
    const failures: Failure[] = emptied.ok ? [] : [emptied];
    const oldest = retention.cutoff('talkDays') ?? -Infinity;
    const listed = oldest > -Infinity ? await source.list() : nothing;
    if (!listed.ok) failures.push(listed);
    for (const { id, version } of listed.ok ? listed.value : []) {
      // A talk is not changed before it begins: what was written lately need not be read.
      if (writtenAt(version) >= oldest) continue;
      const stored = await source.record(id);
      if (stored.ok && (stored.value.record.pinned || stored.value.record.begunAt >= oldest))
        continue;
      const put = await trash.put(folder, id);
      if (put.ok) await sync.forget([{ kind: 'talk', id }]);
      else failures.push(put);
    }
    const [first] = failures;
    if (first !== undefined) trouble(first.error);
  }
}

function writtenAt(version: string): number {
  return Number(version.split(' ', 1)[0]);
}

const nothing = { ok: true, value: [] } as const;
