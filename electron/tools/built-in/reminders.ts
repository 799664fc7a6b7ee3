import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { type Clock, Timer, type WallClock } from '../../../shared/ports/clock.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import {
  maxReminders,
  maxReminderText,
  storedReminders,
} from '../../../shared/tools/stored-tools.ts';
import type { Reminder } from '../../../shared/tools/tools-view.ts';

interface Deps {
  readonly file: StateFile;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Called when a reminder was set, cancelled or dismissed, or is due. */
  readonly onChanged: () => void;
  /** Called when the stored reminders are damaged and were lost. */
  readonly onDamaged: (error: AppError) => void;
}

/** The time is compared at least this often, because the computer may sleep and its clock may be set. */
const maxWaitMs = 60_000;

/**
 * Stores reminders until the user dismisses them. So one that is due while Parley is not running, or that the user did not
 * see before Parley quit, is shown at the next start.
 */
export class Reminders {
  readonly #deps: Deps;
  readonly #timer: Timer;
  readonly #writes = new SerialQueue();
  /** Reminders that are not due yet, the earliest first. */
  #reminders: readonly Reminder[] = [];
  /** Due, and not dismissed. */
  #due: readonly Reminder[] = [];
  /** Ids only rise during a run. */
  #lastId = 0;
  #isLoaded = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  /** Reads the stored reminders and starts the timer. */
  begin(): void {
    this.#load();
  }

  /** Reads the file; once that has succeeded, does nothing. Keeps a damaged file under another name. */
  #load(): Outcome<undefined> {
    if (this.#isLoaded) return done;
    const { file } = this.#deps;
    const read = file.read();
    if (!read.ok) return read;
    this.#isLoaded = true;
    if (read.value === undefined) return done;
    const parsed = storedReminders.safeParse(parseJsonObject(read.value));
    const stored = parsed.success ? parsed.data.reminders : [];
    if (!parsed.success) this.#setAside();
    this.#lastId = Math.max(0, ...stored.map(({ id }) => id));
    this.#due = stored
      .filter(({ due }) => due === true)
      .map(({ id, at, text }) => ({ id, at, text, wasDue: true }));
    this.#reminders = stored.filter(({ due }) => due !== true);
    this.#check();
    return done;
  }

  #setAside(): void {
    const aside = this.#deps.file.setAside();
    this.#deps.onDamaged(
      aside.ok
        ? appError('remindersPutAside', { path: aside.value })
        : appError('remindersUnread', {}, { cause: aside.error }),
    );
  }

  /** The reminders that are not due yet, the earliest first. */
  list(): readonly Reminder[] {
    return this.#reminders;
  }

  /** The reminders that are due, until the user dismisses them. */
  due(): readonly Reminder[] {
    return this.#due;
  }

  /** Fails if the stored reminders cannot be read, because writing would overwrite them. */
  async add(text: string, at: number): Promise<Outcome<Reminder>> {
    const loaded = this.#load();
    if (!loaded.ok) return loaded;
    if (this.#due.length + this.#reminders.length >= maxReminders)
      return failure('remindersMany', { most: maxReminders });
    this.#lastId += 1;
    const reminder = { id: this.#lastId, at, text: text.slice(0, maxReminderText) };
    const before = this.#reminders;
    const saved = await this.#change([...before, reminder]);
    if (!saved.ok) {
      await this.#change(this.#reminders.filter((other) => other !== reminder));
      return saved;
    }
    return { ok: true, value: reminder };
  }

  /** Cancels a reminder, or dismisses it if it is due. */
  async cancel(id: number): Promise<Outcome<undefined>> {
    const loaded = this.#load();
    if (!loaded.ok) return loaded;
    if (this.#due.some((reminder) => reminder.id === id)) return this.dismiss(id);
    const remaining = this.#reminders.filter((reminder) => reminder.id !== id);
    if (remaining.length === this.#reminders.length) return failure('reminderGone');
    return this.#change(remaining);
  }

  async dismiss(id: number): Promise<Outcome<undefined>> {
    const loaded = this.#load();
    if (!loaded.ok) return loaded;
    this.#due = this.#due.filter((reminder) => reminder.id !== id);
    return this.#change(this.#reminders);
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    this.#timer.stop();
    await this.#writes.settled();
  }

  #change(reminders: readonly Reminder[]): Promise<Outcome<undefined>> {
    this.#reminders = reminders.toSorted((one, other) => one.at - other.at);
    this.#deps.onChanged();
    this.#wait();
    const due = this.#due.map(({ id, at, text }) => ({ id, at, text, due: true }));
    const stored = [...due, ...this.#reminders];
    const text = `${JSON.stringify({ version: 1, reminders: stored }, undefined, 1)}\n`;
    return this.#writes.run(() => this.#deps.file.write(text));
  }

  #check(): void {
    const now = this.#deps.wallClock();
    const due = this.#reminders.filter(({ at }) => at <= now);
    if (due.length === 0) return this.#wait();
    this.#due = [...this.#due, ...due];
    void this.#change(this.#reminders.filter(({ at }) => at > now));
  }

  #wait(): void {
    const [next] = this.#reminders;
    if (next === undefined) this.#timer.stop();
    else {
      const remainingMs = Math.max(0, next.at - this.#deps.wallClock());
      this.#timer.set(Math.min(remainingMs, maxWaitMs), () => this.#check());
    }
  }
}
