import { appError } from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { JournalFile } from '../../shared/ports/files.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import type { CaptionedTurn, TalkInfo, TalkView } from '../../shared/talk/talk-view.ts';
import type { ConversationOptions } from './conversation-options.ts';

/** A talk cut by a crash, with its text up to the last save. */
export interface CrashedTalk {
  readonly talk: TalkInfo;
  readonly captions: readonly CaptionedTurn[];
  readonly savedAt: number;
}

interface Deps {
  readonly file: JournalFile;
  readonly clock: Pick<Clock, 'after'>;
  readonly wallNow: () => number;
  /** Whether the user lets Parley store text. */
  readonly allowed: () => boolean;
  /** Whether the user decides after a talk what to keep; until then its journal stays. */
  readonly asksUser?: (() => boolean) | undefined;
}

const writeEveryMs = 1500;
/** A failed write is retried even if nothing more is said. */
const retryMs = 5000;

/**
 * Writes the active talk's text to disk as it runs. Only a crash or `saveForRestart` leaves the file. A talk that ends
 * removes it, at once or after the user has decided what to keep.
 */
export class TalkJournal {
  readonly #deps: Deps;
  readonly #writes = new SerialQueue();
  #view: TalkView | undefined;
  readonly #timer: Timer;
  #isKept = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  /** Call with every change of the talk's view. */
  onViewChange(view: TalkView): void {
    if (this.#isKept) return;
    const { phase } = view.state;
    const { allowed, asksUser: asks = never } = this.#deps;
    if ((phase === 'ended' && !asks()) || phase === 'idle' || !allowed()) return this.#remove();
    this.#view = view;
    if (view.captions.length === 0) return;
    this.#writeIn(writeEveryMs);
  }

  /** The newest talk that a crash left; undefined without one. If Parley may store no text, deletes all of them. */
  async readCrashedTalk(): Promise<CrashedTalk | undefined> {
    if (!this.#deps.allowed()) {
      await this.#deps.file.removeStale();
      return undefined;
    }
    const texts = await this.#deps.file.readStale();
    const talks = texts.flatMap((text) => parseCrashedTalk(text) ?? []);
    return talks.toSorted((one, other) => other.savedAt - one.savedAt)[0];
  }

  removeCrashedTalk(): void {
    void this.#writes.run(() => this.#deps.file.removeStale());
  }

  /** Writes the current state and leaves the file, so that the next start finds the talk as after a crash. */
  async saveForRestart(): Promise<void> {
    this.#isKept = true;
    this.#timer.stop();
    await this.#writes.run(() => this.#write());
  }

  async end(): Promise<void> {
    if (!this.#isKept) this.#remove();
    await this.#writes.settled();
  }

  #writeIn(ms: number): void {
    this.#timer.setIfIdle(ms, () => void this.#writes.run(() => this.#write()));
  }

  async #write(): Promise<void> {
    const { file, wallNow } = this.#deps;
    if (this.#view?.talk === undefined) return;
    const { mode, endpoint } = this.#view.talk;
    const { captions } = this.#view;
    // A failed write is not reported: the file matters only after a crash, and other stores report
    // a full disk.
    const written = await file.write(
      `${JSON.stringify({ version: 1, savedAt: wallNow(), talk: { mode, endpoint }, captions })}\n`,
    );
    if (!written.ok && !this.#isKept && this.#view !== undefined) this.#writeIn(retryMs);
  }

  #remove(): void {
    this.#timer.stop();
    if (this.#view === undefined) return;
    this.#view = undefined;
    void this.#writes.run(() => this.#deps.file.remove());
  }
}

const never = (): boolean => false;

/** The view of an ended talk that can be continued. */
export function crashedTalkView(
  { talk, captions, savedAt }: CrashedTalk,
  timeOfDay: (time: number) => string,
): Pick<TalkView, 'talk' | 'captions' | 'state'> {
  const error = appError('talkCutByCrash', { time: timeOfDay(savedAt) });
  const ending = { error, by: 'server', orderly: false } as const;
  return { talk, captions, state: { phase: 'ended', ending, offer: 'continue' } };
}

export function crashedTalkTranscript({ captions }: CrashedTalk): ConversationOptions['earlier'] {
  return captions.map(({ text, heard, cutFrom }) => ({
    text: text.slice(0, heard),
    cut: cutFrom !== undefined,
  }));
}

function parseCrashedTalk(text: string): CrashedTalk | undefined {
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

/** A settled turn. Its number is negative, so that it precedes the next talk's turns. */
function parseTurn(caption: unknown, turn: number): readonly CaptionedTurn[] {
  if (!isJsonObject(caption)) return [];
  const { text, heard, cutFrom } = caption;
  if (typeof text !== 'string' || typeof heard !== 'number') return [];
  const cut = typeof cutFrom === 'number' ? cutFrom : heard < text.length ? heard : undefined;
  return [{ turn, text, heard: Math.min(heard, text.length), cutFrom: cut, settled: true }];
}
