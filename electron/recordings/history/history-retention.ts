import type { AppError, Failure } from '../../../shared/errors/app-error.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import type { DataFolder } from '../../../shared/ports/files.ts';
import type { ChatStore } from '../../chat/stored-chat.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import type { IndexSync } from './index-sync.ts';
import type { Retention, Trash } from './retention.ts';
import type { TalkSource } from './talk-source.ts';

interface Deps {
  readonly talks: Pick<TalkSource, 'list' | 'record'>;
  readonly tapes: Pick<TalkTapes, 'tidy'>;
  readonly folder: DataFolder;
  readonly trash: Pick<Trash, 'put' | 'tidy'>;
  readonly chatStore: Pick<ChatStore, 'list'>;
  /** Lets written conversations go that are old; asked for where there may be one. */
  readonly tidyChats: () => Promise<void>;
  readonly chatTrash: Pick<Trash, 'tidy'>;
  readonly retention: Pick<Retention, 'cutoff'>;
  readonly sync: Pick<IndexSync, 'forget'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly trouble: (error: AppError) => void;
}

/** A start has better things to do, and thousands of files may have to be looked at. */
const afterStartMs = 20_000;
/** A Parley that runs for weeks lets things go, too. */
const againMs = 6 * 60 * 60 * 1000;

/**
 * Puts talks, tapes and written conversations into the trash once they are older than the person wants. It runs soon
 * after the start and every six hours; no talk and nothing else that a person begins waits for it.
 */
export class HistoryRetention {
  readonly #deps: Deps;
  #stop: (() => void) | undefined;
  #tidying = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  begin(): void {
    const { clock } = this.#deps;
    const tidy = (): undefined => {
      if (this.#tidying) return undefined;
      this.#tidying = true;
      void this.#tidy().finally(() => {
        this.#tidying = false;
      });
      return undefined;
    };
    this.#stop ??= clock.after(afterStartMs, () => {
      tidy();
      this.#stop = repeatEvery(clock, againMs, tidy);
    });
  }

  end(): void {
    this.#stop?.();
  }

  async #tidy(): Promise<void> {
    const { tapes } = this.#deps;
    const failures = [
      ...(await this.#tidyTalks()),
      ...(await tapes.tidy()),
      ...(await this.#tidyChats()),
    ];
    const [first] = failures;
    if (first !== undefined) this.#deps.trouble(first.error);
  }

  async #tidyChats(): Promise<readonly Failure[]> {
    const { chatStore, chatTrash, tidyChats, retention } = this.#deps;
    const emptied = await chatTrash.tidy();
    const failures: Failure[] = emptied.ok ? [] : [emptied];
    const oldest = retention.cutoff('days');
    if (oldest === undefined) return failures;
    const listed = await chatStore.list();
    if (!listed.ok) return [...failures, listed];
    if (listed.value.some(({ version }) => writtenAt(version) < oldest)) await tidyChats();
    return failures;
  }

  /** Pinned ones stay. */
  async #tidyTalks(): Promise<readonly Failure[]> {
    const { talks, folder, retention, trash, sync } = this.#deps;
    const emptied = await trash.tidy();
    const failures: Failure[] = emptied.ok ? [] : [emptied];
    const oldest = retention.cutoff('talkDays');
    if (oldest === undefined) return failures;
    const listed = await talks.list();
    if (!listed.ok) return [...failures, listed];
    for (const { id, version } of listed.value) {
      // What was written lately is no older than that, and need not be read.
      if (writtenAt(version) >= oldest) continue;
      const stored = await talks.record(id);
      // What cannot be read goes with its time, too.
      const stays =
        stored.ok && (stored.value.record.pinned || stored.value.record.savedAt >= oldest);
      if (stays) continue;
      const put = await trash.put(folder, id);
      if (put.ok) await sync.forget([{ kind: 'talk', id }]);
      else failures.push(put);
    }
    return failures;
  }
}

/** The store's versions begin with the time of the file. */
function writtenAt(version: string): number {
  return Number(version.split(' ', 1)[0]);
}
