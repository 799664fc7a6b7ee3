import { parseStoredChat } from '../../electron/chat/stored-chat.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { ProcessEnding } from './storage-durability.ts';

/** A message is on the disk within this time, if the disk has space. */
const writtenWithinMs = 1000;
/** A failed write is retried within this time. */
const retriedWithinMs = 20_000;
/** More history entries than one run creates. */
const maxEntries = 10_000;

interface Deps {
  readonly now: () => number;
  readonly run: () => SimulatedProcess | undefined;
  readonly fail: (sentence: string) => void;
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
  readonly #deps: Deps;
  #durableMessages: readonly WrittenMessage[] = [];
  readonly #deleted = new Set<string>();
  #fullUntil = -Infinity;
  /** Messages from before this time may be missing, because storing was off. */
  #notStoredUntil = -Infinity;

  constructor(deps: Deps) {
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
    const by = how === 'quit' ? now : now - writtenWithinMs;
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
