import type { AppError } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { MemorySuggestion } from '../../shared/memory/memory-view.ts';
import {
  Timer,
  makeRandomId,
  type Clock,
  type Random,
  type WallClock,
} from '../../shared/ports/clock.ts';
import {
  historyKey,
  type HistoryKind,
  type HistoryRef,
} from '../../shared/recordings/history-item.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { hasSentence, type MemoryStore } from './memory-store.ts';
import {
  readSuggestions,
  type SaidText,
  type SuggestionQuestion,
  suggestionQuestion,
} from './suggestion-question.ts';

interface Deps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly store: Pick<MemoryStore, 'sentences' | 'add' | 'change'>;
  readonly settings: () => Settings['memory'];
  readonly messages: () => Promise<CoreMessages['memory']>;
  /** Reads a talk or chat; undefined if it is not stored. */
  readonly read: (ref: HistoryRef) => Promise<SaidText | undefined>;
  /**
   * Whether the server may be asked now: it has a model, and neither a talk nor a question of the user uses it. While the
   * deletion of the talk or chat can be undone, no server is asked about it.
   */
  readonly isFree: (server: string, ref: HistoryRef) => boolean;
  /** Ends the session of an idle chat, which may hold the server's only worker. The chat's next question opens another. */
  readonly releaseSessions: () => void;
  /** Asks a server's chat. Calls `onDone` once, without an answer on failure. Returns a cancel function. */
  readonly ask: (
    server: string,
    question: SuggestionQuestion,
    onDone: (answer: string | undefined) => void,
  ) => () => void;
  readonly onChanged: () => void;
}

interface Waiting {
  readonly ref: HistoryRef;
  readonly server: string;
  readonly storedAt: number;
  dueAt: number;
  tries: number;
}

/** A talk or chat counts as over after this long without a change. The user's words are transcribed by then. */
const quietMs = 60_000;
/** Parley asks a busy or failing server again at this interval, until half an hour after it last stored the talk or chat. */
const retryMs = 60_000;
const giveUpMs = 30 * 60_000;
/** Failed requests for a talk or chat. A busy server does not count. */
const maxTries = 3;
/** Limits on remembered talks and chats, open suggestions and rejected sentences. */
const maxKnown = 50;
const maxPending = 12;
const maxRejected = 100;

/** Asks the server of a stored talk or chat which facts are worth remembering, while the server is free. */
export class MemorySuggester {
  readonly #deps: Deps;
  readonly #timer: Timer;
  /** The servers of this run's talks and chats. Conversations of earlier runs are not read, because their server is unknown. */
  readonly #servers = new Map<string, string>();
  readonly #waiting = new Map<string, Waiting>();
  /** How many turns of the user the model has read already, by talk or chat. */
  readonly #covered = new Map<string, number>();
  #asking: { readonly key: string; cancel: () => void } | undefined;
  #pending: readonly MemorySuggestion[] = [];
  #rejected: readonly string[] = [];
  #hasEnded = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  get suggestions(): readonly MemorySuggestion[] {
    return this.#pending;
  }

  /** Notes which server takes part in a talk or chat. Do not call it for an incognito one. */
  noteServer(ref: HistoryRef, server: string): void {
    const key = historyKey(ref);
    // If the user changed the server, only the later one is asked, because the change may have had a reason.
    this.#servers.delete(key);
    this.#servers.set(key, server);
    trim(this.#servers, maxKnown);
  }

  /** The talk or chat was stored, or changed. */
  onStored(ref: HistoryRef): void {
    const server = this.#servers.get(historyKey(ref));
    if (server === undefined || !this.#isWanted) return;
    const now = this.#deps.clock.now();
    const { tries = 0 } = this.#waiting.get(historyKey(ref)) ?? {};
    this.#waiting.set(historyKey(ref), { ref, server, storedAt: now, dueAt: now + quietMs, tries });
    trim(this.#waiting, maxKnown);
    this.#timer.setIfIdle(quietMs, () => this.#next());
  }

  /** Cancels the request to a server, because the user needs it for a talk or a question. */
  readonly cancelRequest = (): void => {
    const asking = this.#asking;
    if (asking === undefined) return;
    this.#asking = undefined;
    asking.cancel();
    this.#postpone(asking.key);
  };

  async answer(id: string, accepted: boolean): Promise<AppError | undefined> {
    const suggestion = this.#pending.find((each) => each.id === id);
    if (suggestion === undefined) return undefined;
    const stored = accepted ? await this.#store(suggestion) : undefined;
    if (stored?.ok === false && stored.error.code !== 'memoryKnown') return stored.error;
    if (!accepted) this.#rejected = [...this.#rejected, suggestion.text].slice(-maxRejected);
    this.#setPending(this.#pending.filter((each) => each.id !== id));
    return undefined;
  }

  /** Applies changed settings to the suggestions and to the talks and chats that wait. */
  async settingsChanged(): Promise<void> {
    if (!this.#isWanted) this.clear();
    else if (this.#deps.settings().suggest === 'auto')
      for (const { id } of this.#pending) await this.answer(id, true);
  }

  /** Drops the suggestions of a deleted talk or chat, and its pending request; without an id, those of the whole kind. */
  forget({ kind, id }: { readonly kind: HistoryKind; readonly id?: string }): void {
    const isGone = (ref: { readonly kind: string; readonly id?: string | undefined }): boolean =>
      ref.kind === kind && (id === undefined || ref.id === id);
    for (const [key, { ref }] of this.#waiting) {
      if (!isGone(ref)) continue;
      if (this.#asking?.key === key) this.cancelRequest();
      this.#waiting.delete(key);
      this.#servers.delete(key);
    }
    const pending = this.#pending.filter(({ source }) => !isGone(source));
    if (pending.length < this.#pending.length) this.#setPending(pending);
  }

  /** Drops all suggestions, the request for more, and the talks and chats that wait to be read. */
  clear(): void {
    this.#waiting.clear();
    this.#asking?.cancel();
    this.#asking = undefined;
    if (this.#pending.length > 0) this.#setPending([]);
  }

  end(): void {
    this.#hasEnded = true;
    this.#timer.stop();
    this.#waiting.clear();
    this.#asking?.cancel();
    this.#asking = undefined;
  }

  get #isWanted(): boolean {
    const { use, suggest } = this.#deps.settings();
    return !this.#hasEnded && use && suggest !== 'never';
  }

  #postpone(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting.dueAt = this.#deps.clock.now() + retryMs;
    if (!this.#hasEnded) this.#timer.setIfIdle(retryMs, () => this.#next());
  }

  #next(): void {
    const now = this.#deps.clock.now();
    for (const [key, { storedAt }] of this.#waiting)
      if (now - storedAt > giveUpMs) this.#waiting.delete(key);
    const [first] = [...this.#waiting.values()].toSorted((one, other) => one.dueAt - other.dueAt);
    if (first === undefined || this.#asking !== undefined) return;
    if (first.dueAt > now) this.#timer.set(first.dueAt - now, () => this.#next());
    else if (this.#deps.isFree(first.server, first.ref)) void this.#ask(first);
    else this.#postpone(historyKey(first.ref));
  }

  async #ask(waiting: Waiting): Promise<void> {
    const key = historyKey(waiting.ref);
    const asking = { key, cancel: (): void => undefined };
    this.#asking = asking;
    const { read, messages, store, isFree, ask } = this.#deps;
    const [said, prompts] = await Promise.all([read(waiting.ref), messages()]);
    if (this.#asking !== asking) return;
    const turns = turnsAfter(said?.turns ?? [], this.#covered.get(key) ?? 0);
    const userTexts = turns.filter(({ by }) => by === 'person').map(({ text }) => text);
    // Only the user's own words can state facts about the user.
    if (said === undefined || userTexts.length === 0) return this.#done(waiting);
    // A talk may have begun while the text was read.
    if (!isFree(waiting.server, waiting.ref)) {
      this.#asking = undefined;
      this.#postpone(key);
      return;
    }
    if (waiting.tries > 0) this.#deps.releaseSessions();
    const known = store.sentences();
    asking.cancel = ask(waiting.server, suggestionQuestion(prompts, known, turns), (answer) => {
      if (this.#asking !== asking) return;
      if (answer === undefined) return this.#retryOrDrop(waiting);
      this.#covered.set(key, said.turns.filter(({ by }) => by === 'person').length);
      trim(this.#covered, maxKnown);
      const { kind, id } = waiting.ref;
      const source = { kind, id, title: said.title, when: this.#deps.wallClock() };
      for (const { text, replaces } of readSuggestions(answer, known, userTexts))
        this.#suggest({ id: makeRandomId(this.#deps.random), text, source, replaces });
      this.#done(waiting);
    });
  }

  #retryOrDrop(waiting: Waiting): void {
    this.#asking = undefined;
    waiting.tries += 1;
    if (waiting.tries >= maxTries) this.#done(waiting);
    else this.#postpone(historyKey(waiting.ref));
  }

  #done(waiting: Waiting): void {
    const key = historyKey(waiting.ref);
    this.#asking = undefined;
    // If it was stored again meanwhile, its newer words wait for their own question.
    if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    this.#next();
  }

  #suggest(suggestion: MemorySuggestion): void {
    const isKnown = [...this.#rejected, ...this.#pending.map(({ text }) => text)].some((text) =>
      hasSentence([suggestion], text),
    );
    if (isKnown) return;
    this.#setPending([...this.#pending, suggestion].slice(-maxPending));
    // A sentence that does not fit stays a suggestion, so that the user can make room.
    if (this.#deps.settings().suggest === 'auto') void this.answer(suggestion.id, true);
  }

  async #store({ text, replaces, source }: MemorySuggestion) {
    const { store } = this.#deps;
    const replaced = store.sentences().find(({ id }) => id === replaces);
    return replaced === undefined
      ? store.add(text, source)
      : store.change(replaced.id, { text, source });
  }

  #setPending(pending: readonly MemorySuggestion[]): void {
    this.#pending = pending;
    this.#deps.onChanged();
  }
}

/** Returns the turns from the user's first turn that the model has not read yet. */
function turnsAfter(turns: SaidText['turns'], covered: number): SaidText['turns'] {
  let userTurns = 0;
  const from = turns.findIndex(({ by }) => {
    userTurns += by === 'person' ? 1 : 0;
    return userTurns > covered;
  });
  return from === -1 ? [] : turns.slice(from);
}

/** Deletes the oldest entries until the map fits. */
function trim(map: Map<string, unknown>, maxSize: number): void {
  for (const key of map.keys()) {
    if (map.size <= maxSize) return;
    map.delete(key);
  }
}
