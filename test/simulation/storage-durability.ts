import { tapeFiles } from '../../electron/recordings/tape/tape.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import type { TalkState } from '../../shared/talk/talk-view.ts';
import type { SimulatedProcess } from './simulated-parley.ts';
import { parseStoredChat } from '../../electron/chat/stored-chat.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';

export type ProcessEnding = 'quit' | 'kill' | 'powerCut';

/** Changed settings are on the disk within this time, if the disk has space. */
const writtenWithinMs = 500;
/** A failed write is retried within this time. */
const retriedWithinMs = 20_000;
/** Speech of a talk is on the disk within this time. */
const journaledWithinMs = 3000;

interface KnownSettings {
  readonly text: string;
  readonly from: number;
}

interface Deps {
  readonly now: () => number;
  readonly run: () => SimulatedProcess | undefined;
  readonly fail: (sentence: string) => void;
}

/** Checks durability: the next process must find the settings, tapes and talks that this process had time to store. */
export class StorageDurability {
  readonly #deps: Deps;
  #known: readonly KnownSettings[] = [];
  #filledAt = -Infinity;
  #fullUntil = -Infinity;
  #beganAt = 0;
  #ended: { readonly how: ProcessEnding; readonly at: number; readonly full: boolean } | undefined;
  /** When the present talk first showed something as heard. */
  #spokenSince: number | undefined;
  #heardAnything = false;
  #phase: TalkState['phase'] = 'idle';
  /** How many characters of the present talk had been heard at which time. */
  #heardCounts: readonly { readonly at: number; readonly count: number }[] = [];
  #durableCharacters = 0;
  #mustRecoverTalk = false;
  /** The heard part of the last settled answer in a talk whose text is stored. */
  #storedAnswer: { readonly at: number; readonly text: string } | undefined;
  #durableText: string | undefined;
  /** The last setting for storing talks. */
  #keepTalksBefore: 'ask' | 'yes' | 'no' | undefined;
  tapes = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  notice({ name, payload }: Notice): void {
    const { now } = this.#deps;
    if (name === 'talkState') this.#phaseChanged(payload.phase);
    else if (name === 'caption' && payload.turn >= 0) {
      if (payload.settled === true) this.#settled(payload.turn);
      if (payload.heard === undefined) return;
      this.#heardAnything = true;
      this.#spokenSince ??= now();
      this.#heardCounts = [
        ...this.#heardCounts.slice(-100),
        { at: now(), count: this.#charactersHeard },
      ];
    } else if (name === 'talkBegan' && payload.session === undefined) {
      this.#heardAnything = false;
      this.#heardCounts = [];
      this.#spokenSince = undefined;
      this.#storedAnswer = undefined;
    }
  }

  /** The user deleted a talk, which may be the present one. */
  talkRemoved(): void {
    this.#storedAnswer = undefined;
  }

  settingsChanged(): void {
    const text = this.#settings;
    if (text === undefined || text === this.#known.at(-1)?.text) return;
    this.#known = [...this.#known.slice(-200), { text, from: this.#deps.now() }];
    if (this.#keepTalks !== 'yes') this.#storedAnswer = undefined;
    // If storing is turned on during a talk, its text counts as spoken now.
    const before = this.#keepTalksBefore;
    this.#keepTalksBefore = this.#keepTalks;
    if (before === 'no' && this.#keepTalksBefore !== 'no' && this.#spokenSince !== undefined)
      this.#spokenSince = this.#deps.now();
  }

  /** Two full periods count as one if the gap between them is too short for a retry. */
  diskFilled(ms: number): void {
    const now = this.#deps.now();
    if (now - this.#fullUntil > retriedWithinMs) this.#filledAt = now;
    this.#fullUntil = Math.max(this.#fullUntil, now + ms);
    this.#storedAnswer = undefined;
  }

  ends(how: ProcessEnding): void {
    const at = this.#deps.now();
    this.#ended = { how, at, full: this.#diskWasFull };
    const sinceMs = this.#spokenSince === undefined ? 0 : at - this.#spokenSince;
    // A process that quits normally has written everything.
    const durableUntil = how === 'quit' ? at : at - journaledWithinMs;
    this.#durableCharacters =
      this.#heardCounts.findLast((one) => one.at <= durableUntil)?.count ?? 0;
    this.#durableText =
      this.#storedAnswer !== undefined && this.#storedAnswer.at <= durableUntil
        ? this.#storedAnswer.text
        : undefined;
    this.#mustRecoverTalk =
      how !== 'quit' &&
      this.#phase !== 'ended' &&
      this.#phase !== 'idle' &&
      sinceMs > journaledWithinMs &&
      !this.#diskWasFull &&
      this.#keepTalks !== 'no';
    this.#spokenSince = undefined;
    this.#storedAnswer = undefined;
    this.#phase = 'idle';
  }

  /** Checks in a new process that everything durable of the previous one is stored. */
  async begun(run: SimulatedProcess): Promise<void> {
    const { now, fail } = this.#deps;
    const ended = this.#ended;
    const text = this.#settings;
    if (ended === undefined || text === undefined) {
      this.settingsChanged();
      return;
    }
    // With a full disk at the end, nobody retries until the next process starts.
    const since = ended.full
      ? this.#filledAt - writtenWithinMs
      : ended.at - (ended.how === 'quit' ? 0 : writtenWithinMs);
    const found = this.#known.some(
      (known, index) => known.text === text && (this.#known[index + 1]?.from ?? Infinity) > since,
    );
    if (!found) fail(`the settings after a ${ended.how} are none of those that were promised`);
    this.#known = [{ text, from: now() }];
    this.#keepTalksBefore = this.#keepTalks;
    if (this.#mustRecoverTalk && run.parley.talk.view.state.phase !== 'ended')
      fail('Parley does not offer to continue a talk that was cut off');
    else if (this.#mustRecoverTalk && this.#charactersHeard < this.#durableCharacters)
      fail('a talk that was cut off lacks words that were heard seconds before');
    await this.#checkTapes(run, ended.how);
    await this.#checkRecords(run);
  }

  /** An ended talk needs no recovery; a continued one was heard before. */
  #phaseChanged(phase: TalkState['phase']): void {
    const before = this.#phase;
    this.#phase = phase;
    if (phase === 'ended') this.#spokenSince = undefined;
    else if (before === 'ended' && this.#heardAnything) this.#spokenSince = this.#deps.now();
  }

  #settled(turn: number): void {
    const caption = this.#view?.captions.find((one) => one.turn === turn);
    const text = caption?.text.slice(0, caption.heard).trim() ?? '';
    if (text === '' || this.#diskWasFull || this.#keepTalks !== 'yes') return;
    // The user deleted this talk, so it continues without being stored.
    if (this.#deps.run()?.parley.history.talkRecorder.storage.talk.kind !== 'stored') return;
    this.#storedAnswer = { at: this.#deps.now(), text };
  }

  async #checkTapes(
    { parley, access: { disk } }: SimulatedProcess,
    how: ProcessEnding,
  ): Promise<void> {
    const fullMeanwhile = this.#fullUntil >= this.#beganAt;
    this.#beganAt = this.#deps.now();
    const folders = disk.folders('/tapes/');
    const bad = new Set<string>();
    for (const folder of folders) {
      const lines = disk.read(`${folder}/${tapeFiles.lines}`);
      // After a power cut even the first line may be incomplete.
      if (lines?.includes(newline) !== true) continue;
      this.tapes += 1;
      const health = await parley.checkTape(folder);
      const fail = (sentence: string): void => {
        bad.add(folder);
        this.#deps.fail(sentence);
      };
      if (!health.ok) fail(`a tape does not open after a ${how}: ${health.error.code}`);
      // A tape that ended on a full disk never gets its end.
      else if (how === 'quit' && !fullMeanwhile && health.value.state !== 'whole')
        fail(`a tape is ${health.value.state} after Parley quit normally`);
    }
    // Damaged tapes stay for inspection.
    for (const folder of folders.filter((each) => !bad.has(each))) disk.remove(folder);
  }

  async #checkRecords({ parley }: SimulatedProcess): Promise<void> {
    const { fail } = this.#deps;
    const ids = await parley.history.keptTalks.list();
    if (!ids.ok) {
      fail('the stored talks cannot be listed');
      return;
    }
    let isStored = this.#durableText === undefined;
    for (const { id } of ids.value) {
      const record = await parley.history.talkRecordOf(id);
      if (!record.ok) fail(`a stored talk does not open: ${record.error.code}`);
      else isStored ||= JSON.stringify(record.value).includes(this.#durableText ?? '');
    }
    if (!isStored) fail(`a turn is in no stored talk: “${this.#durableText ?? ''}”`);
  }

  get #view() {
    return this.#deps.run()?.parley.talk.view;
  }

  get #charactersHeard(): number {
    return this.#view?.captions.reduce((sum, { heard }) => sum + heard, 0) ?? 0;
  }

  get #settings(): string | undefined {
    const run = this.#deps.run();
    return run && JSON.stringify(run.parley.settings.get());
  }

  get #keepTalks() {
    return this.#deps.run()?.parley.settings.get().privacy.keepTalks;
  }

  get #diskWasFull(): boolean {
    return this.#deps.now() - this.#fullUntil < retriedWithinMs;
  }
}

const newline = 10;

/** A message is on the disk within this time, if the disk has space. */
const messageWrittenWithinMs = 1000;
/** More history entries than one run creates. */
const maxEntries = 10_000;

interface ChatDeps extends Deps {
  readonly checkMessage: (error: AppError) => void;
  readonly talkRemoved: () => void;
}

interface WrittenMessage {
  readonly chat: string;
  readonly word: string;
  readonly at: number;
}

/** Checks durability: the next process and its history must find the messages that this process had time to store. */
export class ChatDurability {
  readonly #deps: ChatDeps;
  #durableMessages: readonly WrittenMessage[] = [];
  readonly #deleted = new Set<string>();
  #fullUntil = -Infinity;
  /** Messages from before this time may be missing, because storing was off. */
  #notStoredUntil = -Infinity;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
  }

  messageSent(chat: string, word: string): void {
    if (this.#deps.run()?.parley.settings.get().privacy.keepChats !== true) return;
    if (!this.#deleted.has(keyOf({ kind: 'chat', id: chat })))
      this.#durableMessages = [...this.#durableMessages, { chat, word, at: this.#deps.now() }];
  }

  /** A deletion began. The item may be missing from now on, and must be missing when the deletion has ended. */
  deletionBegan({ kind, id }: HistoryRef): void {
    if (kind === 'talk') this.#deps.talkRemoved();
    else this.#durableMessages = this.#durableMessages.filter(({ chat }) => chat !== id);
  }

  deletionEnded(ref: HistoryRef): void {
    this.deletionBegan(ref);
    this.#deleted.add(keyOf(ref));
  }

  checkRefusal(error: AppError): void {
    this.#deps.checkMessage(error);
  }

  diskFilled(ms: number): void {
    this.#fullUntil = Math.max(this.#fullUntil, this.#deps.now() + ms);
  }

  settingsChanged(): void {
    const { run, now } = this.#deps;
    if (run()?.parley.settings.get().privacy.keepChats !== true) this.#notStoredUntil = now();
  }

  /** Forgets the messages that may not have reached the disk when the process ends. */
  ends(how: ProcessEnding): void {
    const now = this.#deps.now();
    const full = now - this.#fullUntil < retriedWithinMs;
    const by = how === 'quit' ? now : now - messageWrittenWithinMs;
    this.#durableMessages = full
      ? []
      : this.#durableMessages.filter(({ at }) => at <= by && at > this.#notStoredUntil);
  }

  /** Checks in a new process that the messages are stored. */
  async begun({ parley, access: { disk } }: SimulatedProcess): Promise<void> {
    const { fail } = this.#deps;
    const chats = new Map(
      disk
        .paths('/chats/')
        .filter((path) => path.endsWith('/conversation.json'))
        .map((path) => [path.split('/', 3)[2] ?? '', disk.text(path) ?? '']),
    );
    for (const [id, text] of chats) {
      if (parseStoredChat(id, text) === undefined)
        fail(`a stored conversation does not open: ${id}`);
      if (this.#deleted.has(keyOf({ kind: 'chat', id })))
        fail('a removed conversation is there again');
    }
    for (const { chat, word } of this.#durableMessages)
      if (chats.get(chat)?.includes(word) !== true)
        fail(`a message of a conversation is not stored (“${word}”)`);
    const { history, historySync, keptTalks } = parley.history;
    await historySync.rescan();
    const listed = await history.list({ skip: 0, count: maxEntries, filter: {} });
    const talks = await keptTalks.list();
    if (!listed.ok || !talks.ok) {
      fail('the history cannot be listed');
      return;
    }
    const shown = listed.value.entries.map(keyOf).toSorted();
    const there = [
      ...[...chats.keys()].map((id) => keyOf({ kind: 'chat', id })),
      ...talks.value.map(({ id }) => keyOf({ kind: 'talk', id })),
    ].toSorted();
    if (JSON.stringify(shown) !== JSON.stringify(there))
      fail(`the history shows ${shown.length} entries of ${there.length} that are stored`);
    const last = this.#durableMessages.at(-1);
    if (last === undefined) return;
    const found = await history.search(last.word, { skip: 0, count: 5, filter: {} });
    if (!found.ok || found.value.entries.length !== 1)
      fail(`the history does not find “${last.word}” once`);
  }
}

const keyOf = ({ kind, id }: HistoryRef): string => `${kind} ${id}`;
