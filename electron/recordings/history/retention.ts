import {
  appError,
  type AppError,
  done,
  type Failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import type { DataFolder, StateFile } from '../../../shared/ports/files.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { PrivacySettings } from '../../../shared/settings/app-settings.ts';
import type { ChatStore } from '../../chat/stored-chat.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import type { IndexSync } from './index-sync.ts';
import type { TalkSource } from './talk-source.ts';

/** Settings for conversations, talk texts and tapes. */
type RetentionSetting = 'days' | 'talkDays' | 'tapeDays';

interface Deps {
  readonly file: Pick<StateFile, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly wallNow: () => number;
  readonly privacy: () => PrivacySettings;
  /** Called once, when a clock jump postpones deletion. */
  readonly onPostponed: (error: AppError) => void;
}

/** Persisted between runs. */
interface CalendarState {
  readonly lastSeenAt: number;
  /** Days on which Parley ran. A wrong clock adds only one, however far it jumps. */
  readonly days: number;
  /** Deletion starts on this day of use. */
  readonly waitUntil: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** After a longer absence deletion waits `waitDays` days of use, so that a wrong clock can be corrected first. */
const jumpDays = 14;
const waitDays = 3;
const checkEveryMs = 6 * 60 * 60 * 1000;

/** Decides what is old enough to delete. It trusts the calendar only for days on which Parley ran. */
export class Retention {
  readonly #deps: Deps;
  readonly #writes = new SerialQueue();
  #calendar: CalendarState | undefined;
  #reported = false;
  #stop: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Checks the calendar now and every few hours, so that a long run does not look like a jump. */
  begin(): void {
    this.#updateCalendar();
    this.#stop ??= repeatEvery(this.#deps.clock, checkEveryMs, () => {
      this.#updateCalendar();
      return undefined;
    });
  }

  async end(): Promise<void> {
    this.#stop?.();
    await this.#writes.settled();
  }

  /** Days on which Parley has run. */
  get daysOfUse(): number {
    return this.#updateCalendar().days;
  }

  /** Items older than this may be deleted. Undefined if everything stays or the calendar is not trusted. */
  cutoff(kind: RetentionSetting): number | undefined {
    const days = this.#deps.privacy()[kind];
    const seen = this.#updateCalendar();
    if (days === 'forever' || seen.days < seen.waitUntil) return undefined;
    return this.#deps.wallNow() - days * dayMs;
  }

  #updateCalendar(): CalendarState {
    const { file, wallNow } = this.#deps;
    const now = wallNow();
    const before = (this.#calendar ??= readCalendarState(file));
    const after = advanceCalendar(now, before);
    this.#calendar = after;
    if (before !== undefined && after.waitUntil > before.waitUntil)
      this.#reportJump(now - before.lastSeenAt);
    const isNewDay = dayNumber(after.lastSeenAt) !== dayNumber(before?.lastSeenAt ?? NaN);
    if (isNewDay || after.waitUntil !== before?.waitUntil) {
      const text = `${JSON.stringify({ version: 1, ...after })}\n`;
      // A failed write is harmless: the next start counts fewer days and deletes later.
      void this.#writes.run(() => file.write(text));
    }
    return after;
  }

  #reportJump(jumpMs: number): void {
    const { privacy, onPostponed } = this.#deps;
    if (this.#reported || !removesAnything(privacy())) return;
    this.#reported = true;
    onPostponed(
      appError('deletionPostponed', { days: Math.round(jumpMs / dayMs), wait: waitDays }),
    );
  }
}

function removesAnything(privacy: PrivacySettings): boolean {
  const { keepChats, keepTalks, keepTapes, days, talkDays, tapeDays } = privacy;
  return (
    (keepChats && days !== 'forever') ||
    (keepTalks === 'yes' && talkDays !== 'forever') ||
    (keepTapes && tapeDays !== 'forever')
  );
}

function advanceCalendar(now: number, before: CalendarState | undefined): CalendarState {
  // Deletion starts on the second day of use, because the clock may be wrong on the first.
  if (before === undefined) return { lastSeenAt: now, days: 1, waitUntil: 2 };
  // A clock set back adds no day.
  const days = dayNumber(now) > dayNumber(before.lastSeenAt) ? before.days + 1 : before.days;
  const jumped = now - before.lastSeenAt > jumpDays * dayMs;
  return { lastSeenAt: now, days, waitUntil: jumped ? days + waitDays : before.waitUntil };
}

function dayNumber(time: number): number {
  return Math.floor(time / dayMs);
}

function readCalendarState(file: Pick<StateFile, 'read'>): CalendarState | undefined {
  const found = file.read();
  const stored = found.ok && found.value !== undefined ? parseJsonObject(found.value) : undefined;
  if (!isJsonObject(stored)) return undefined;
  const { lastSeenAt, days, waitUntil } = stored;
  return isTime(lastSeenAt) && isTime(days) && isTime(waitUntil)
    ? { lastSeenAt, days, waitUntil }
    : undefined;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

interface TrashDeps {
  readonly folder: DataFolder;
  readonly daysOfUse: () => number;
}

/** In days on which Parley ran, so that a clock jump cannot empty the trash. */
const trashDays = 7;

/** Holds automatically deleted items for a while. Users can restore them by hand. */
export class Trash {
  readonly #deps: TrashDeps;

  constructor(deps: TrashDeps) {
    this.#deps = deps;
  }

  async put(from: DataFolder, name: string): Promise<Outcome<undefined>> {
    const { folder, daysOfUse } = this.#deps;
    const made = await folder.make();
    return made.ok ? from.move(name, `${folder.path}/${daysOfUse()}-${name}`) : made;
  }

  async prune(): Promise<Outcome<undefined>> {
    const { folder, daysOfUse } = this.#deps;
    const names = await folder.names();
    if (!names.ok) return names;
    const old = names.value.filter((name) => daysOfUse() - dayOfName(name) >= trashDays);
    const removed = await Promise.all(old.map((name) => folder.remove(name)));
    return removed.find(({ ok }) => !ok) ?? done;
  }
}

/** Files without a day number were put there by hand and stay. */
function dayOfName(name: string): number {
  const day = /^(\d+)-/u.exec(name)?.[1];
  return day === undefined ? Infinity : Number(day);
}

interface HistoryRetentionDeps {
  readonly retention: Pick<Retention, 'cutoff'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly talks: Pick<TalkSource, 'list' | 'record'>;
  readonly talkFolder: DataFolder;
  readonly talkTrash: Pick<Trash, 'put' | 'prune'>;
  readonly sync: Pick<IndexSync, 'forget'>;
  readonly tapes: Pick<TalkTapes, 'isRecording'>;
  readonly tapeFolder: DataFolder;
  readonly tapeTrash: Pick<Trash, 'put' | 'prune'>;
  /** Whether to keep this tape: its talk is pinned, or the user saved it. */
  readonly shouldKeepTape: (name: string) => Promise<boolean>;
  readonly chatStore: Pick<ChatStore, 'list'>;
  /** Moves old conversations to the trash; called only if there may be one. */
  readonly removeExpiredChats: () => Promise<void>;
  readonly chatTrash: Pick<Trash, 'prune'>;
  readonly reportError: (error: AppError) => void;
}

/** Delays the first run, which may have to read thousands of files, until the start is over. */
const afterStartMs = 20_000;

/**
 * Moves talks, tapes and conversations to the trash once they exceed the user's limit. Runs soon
 * after the start and every six hours, and blocks nothing.
 */
export class HistoryRetention {
  readonly #deps: HistoryRetentionDeps;
  #stop: (() => void) | undefined;
  #isRunning = false;

  constructor(deps: HistoryRetentionDeps) {
    this.#deps = deps;
  }

  begin(): void {
    const { clock } = this.#deps;
    const run = (): undefined => {
      if (this.#isRunning) return undefined;
      this.#isRunning = true;
      void this.#run().finally(() => {
        this.#isRunning = false;
      });
      return undefined;
    };
    this.#stop ??= clock.after(afterStartMs, () => {
      run();
      // Items also expire while Parley runs for days.
      this.#stop = repeatEvery(clock, checkEveryMs, run);
    });
  }

  end(): void {
    this.#stop?.();
  }

  async #run(): Promise<void> {
    const { talkTrash, tapeTrash, chatTrash, reportError } = this.#deps;
    const failures = [
      ...(await this.#removeExpired('talkDays', talkTrash, this.#removeTalks)),
      ...(await this.#removeExpired('tapeDays', tapeTrash, this.#removeTapes)),
      ...(await this.#removeExpired('days', chatTrash, this.#removeChats)),
    ];
    const [first] = failures;
    if (first !== undefined) reportError(first.error);
  }

  async #removeExpired(
    kind: RetentionSetting,
    trash: Pick<Trash, 'prune'>,
    removeOld: (oldest: number) => Promise<readonly Failure[]>,
  ): Promise<readonly Failure[]> {
    const emptied = await trash.prune();
    const oldest = this.#deps.retention.cutoff(kind);
    const removed = oldest === undefined ? [] : await removeOld(oldest);
    return emptied.ok ? removed : [emptied, ...removed];
  }

  readonly #removeTalks = async (oldest: number): Promise<readonly Failure[]> => {
    const { talks, talkFolder, talkTrash, sync } = this.#deps;
    const listed = await talks.list();
    if (!listed.ok) return [listed];
    const failures: Failure[] = [];
    for (const { id, version } of listed.value) {
      // A record that was written after `oldest` has not expired, so it need not be read.
      if (writtenAt(version) >= oldest) continue;
      const stored = await talks.record(id);
      // Unreadable records expire as well.
      const stays =
        stored.ok && (stored.value.record.pinned || stored.value.record.savedAt >= oldest);
      if (stays) continue;
      const put = await talkTrash.put(talkFolder, id);
      if (put.ok) await sync.forget([{ kind: 'talk', id }]);
      else failures.push(put);
    }
    return failures;
  };

  readonly #removeTapes = async (oldest: number): Promise<readonly Failure[]> => {
    const { tapes, tapeFolder, tapeTrash, shouldKeepTape } = this.#deps;
    const old = await tapeFolder.unchangedSince(oldest);
    if (!old.ok) return [old];
    const failures: Failure[] = [];
    for (const name of old.value) {
      if (tapes.isRecording(name) || (await shouldKeepTape(name))) continue;
      const put = await tapeTrash.put(tapeFolder, name);
      if (!put.ok) failures.push(put);
    }
    return failures;
  };

  readonly #removeChats = async (oldest: number): Promise<readonly Failure[]> => {
    const { chatStore, removeExpiredChats } = this.#deps;
    const listed = await chatStore.list();
    if (!listed.ok) return [listed];
    if (listed.value.some(({ version }) => writtenAt(version) < oldest)) await removeExpiredChats();
    return [];
  };
}

/** Versions begin with the file's modification time. */
function writtenAt(version: string): number {
  return Number(version.split(' ', 1)[0]);
}
