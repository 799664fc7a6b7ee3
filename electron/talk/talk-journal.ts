import { appError } from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { JournalFile } from '../../shared/ports/files.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';
import type { TalkInfo, TalkView } from '../../shared/talk/talk-view.ts';
import type { ConversationOptions } from './conversation-options.ts';

/** A talk that a crash has cut: what was said in it, and until when that is known. */
export interface CutTalk {
  readonly talk: TalkInfo;
  readonly captions: readonly CaptionedTurn[];
  readonly savedAt: number;
}

interface Deps {
  readonly file: JournalFile;
  readonly clock: Pick<Clock, 'after'>;
  readonly wallNow: () => number;
  /** Whether the person wants any text to be kept. */
  readonly allowed: () => boolean;
  /** Whether one that has ended waits for the word of the person: until then nothing of it may be lost. */
  readonly asks?: (() => boolean) | undefined;
}

const writeEveryMs = 1500;
/** What found no room is tried again, also where nothing more is said. */
const retryMs = 5000;

/**
 * What is said in the talk that is going on, on the disk while it goes on: a crash leaves it there, and any other end of the
 * talk removes it.
 */
export class TalkJournal {
  readonly #deps: Deps;
  readonly #writes = new SerialQueue();
  #view: TalkView | undefined;
  readonly #timer: Timer;
  #held = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  /** With everything that changes in a talk. */
  changed(view: TalkView): void {
    if (this.#held) return;
    const { phase } = view.state;
    const { allowed, asks = never } = this.#deps;
    if ((phase === 'ended' && !asks()) || phase === 'idle' || !allowed()) return this.#forget();
    this.#view = view;
    if (view.captions.length === 0) return;
    this.#writeIn(writeEveryMs);
  }

  /** What a crash has left, the newest of it; nothing where the person wants no text to be kept. */
  async left(): Promise<CutTalk | undefined> {
    if (!this.#deps.allowed()) {
      await this.#deps.file.removeLeft();
      return undefined;
    }
    const texts = await this.#deps.file.left();
    const talks = texts.flatMap((text) => parseCutTalk(text) ?? []);
    return talks.toSorted((one, other) => other.savedAt - one.savedAt)[0];
  }

  /** It was shown, and what becomes of it is decided. */
  dropLeft(): void {
    void this.#writes.run(() => this.#deps.file.removeLeft());
  }

  /** Writes what is known now, and leaves it there as a crash would. */
  async hold(): Promise<void> {
    this.#held = true;
    this.#timer.stop();
    await this.#writes.run(() => this.#write());
  }

  async end(): Promise<void> {
    if (!this.#held) this.#forget();
    await this.#writes.settled();
  }

  #writeIn(ms: number): void {
    this.#timer.setOnce(ms, () => void this.#writes.run(() => this.#write()));
  }

  async #write(): Promise<void> {
    const { file, wallNow } = this.#deps;
    if (this.#view?.talk === undefined) return;
    const { mode, endpoint } = this.#view.talk;
    const { captions } = this.#view;
    // One that cannot be written is missed only after a crash; a full disk is told of by what must be kept.
    const written = await file.write(
      `${JSON.stringify({ version: 1, savedAt: wallNow(), talk: { mode, endpoint }, captions })}\n`,
    );
    if (!written.ok && !this.#held && this.#view !== undefined) this.#writeIn(retryMs);
  }

  #forget(): void {
    this.#timer.stop();
    if (this.#view === undefined) return;
    this.#view = undefined;
    void this.#writes.run(() => this.#deps.file.remove());
  }
}

const never = (): boolean => false;

/** The talk as pages show one that has ended: with what was said, and a way on. */
export function viewOfCutTalk(
  { talk, captions, savedAt }: CutTalk,
  timeOfDay: (time: number) => string,
): Pick<TalkView, 'talk' | 'captions' | 'state'> {
  const error = appError('talkCutByCrash', { time: timeOfDay(savedAt) });
  const ending = { error, by: 'server', orderly: false } as const;
  return { talk, captions, state: { phase: 'ended', ending, offer: 'continue' } };
}

/** What was heard in it, as the transcript of the next talk begins with it. */
export function heardOfCutTalk({ captions }: CutTalk): ConversationOptions['earlier'] {
  return captions.map(({ text, heard, cutFrom }) => ({
    text: text.slice(0, heard),
    cut: cutFrom !== undefined,
  }));
}

function parseCutTalk(text: string): CutTalk | undefined {
  const { savedAt, talk, captions } = parseJsonObject(text) ?? {};
  if (typeof savedAt !== 'number' || !isJsonObject(talk) || !Array.isArray(captions))
    return undefined;
  const { mode, endpoint } = talk;
  if ((mode !== 'audio' && mode !== 'video') || typeof endpoint !== 'string') return undefined;
  const turns = captions.flatMap((caption: unknown, index) =>
    parseTurn(caption, index - captions.length),
  );
  return turns.length === 0 ? undefined : { savedAt, talk: { mode, endpoint }, captions: turns };
}

/** Numbered before the first of the talk that may follow. Nothing of them changes any more. */
function parseTurn(caption: unknown, turn: number): readonly CaptionedTurn[] {
  if (!isJsonObject(caption)) return [];
  const { text, heard, cutFrom } = caption;
  if (typeof text !== 'string' || typeof heard !== 'number') return [];
  const cut = typeof cutFrom === 'number' ? cutFrom : heard < text.length ? heard : undefined;
  return [{ turn, text, heard: Math.min(heard, text.length), cutFrom: cut, settled: true }];
}
