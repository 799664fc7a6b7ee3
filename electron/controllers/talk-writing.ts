import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { KeptTalkWriter } from '../recorder/history/kept-talk-writer.ts';
import type { TalkRecordBuilder } from '../recorder/history/talk-record-builder.ts';
import type { Clock } from '../ports/clock.ts';
import type { TalkStore } from '../ports/talk-store.ts';

interface Deps {
  readonly store: Pick<TalkStore, 'write' | 'writePicture' | 'remove'>;
  readonly clock: Pick<Clock, 'after'>;
  /** The talk of this id has come to the disk, has changed there, or has gone. */
  readonly changed: (id: string) => void;
  readonly trouble: (error: AppError) => void;
  /** The talk that is shown, where it is to be kept. */
  readonly due: () => KeptTalkWriter | undefined;
  /** One was written, as far as it could be. */
  readonly tried: () => void;
}

const writeEveryMs = 1500;
const retryMs = 15_000;

/** When talks come to the disk: soon after each word, once more where that failed, and all before Parley ends. */
export class TalkWriting {
  readonly #deps: Deps;
  readonly #unfinished = new Set<Promise<void>>();
  #stopWaiting: (() => void) | undefined;
  #troubled = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  writerOf(id: string, builder: TalkRecordBuilder): KeptTalkWriter {
    const { store, changed } = this.#deps;
    return new KeptTalkWriter(id, builder, {
      store,
      changed: (written) => {
        this.#troubled = false;
        changed(written);
      },
      trouble: (cause) => {
        if (!this.#troubled) this.#deps.trouble(appError('talkUnkept', {}, { cause }));
        this.#troubled = true;
        this.soon(retryMs);
      },
    });
  }

  soon(afterMs: number = writeEveryMs): void {
    if (this.#deps.due() === undefined) return;
    this.#stopWaiting ??= this.#deps.clock.after(afterMs, () => {
      this.#stopWaiting = undefined;
      this.now();
    });
  }

  now(): void {
    const writer = this.#deps.due();
    if (writer !== undefined) this.write(writer);
  }

  write(writer: KeptTalkWriter): void {
    this.follow(writer.write().then(this.#deps.tried));
  }

  /** What is waited for, however it was begun. */
  follow(work: Promise<void>): void {
    const unfinished = work.finally(() => this.#unfinished.delete(unfinished));
    this.#unfinished.add(unfinished);
  }

  stopWaiting(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  async finished(): Promise<void> {
    await Promise.all(this.#unfinished);
  }
}
