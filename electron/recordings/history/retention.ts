import {
  appError,
  type AppError,
  type Failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import type { DataFolder, StateFile } from '../../../shared/ports/files.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { PrivacySettings } from '../../../shared/settings/privacy-settings.ts';
import type { ChatStore } from '../../chat/stored-chat.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import type { IndexSync } from './index-sync.ts';
import type { TalkSource } from './talk-source.ts';

/** Of written conversations, of the text of talks, of tapes. */
type KeptFor = 'days' | 'talkDays' | 'tapeDays';

interface Deps {
  readonly file: Pick<StateFile, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly wallNow: () => number;
  readonly privacy: () => PrivacySettings;
  /** Once, when the calendar has jumped and nothing is removed for the time being. */
  readonly tell: (error: AppError) => void;
}

/** What is known of the calendar from one run to the next. */
interface Seen {
  readonly lastSeenAt: number;
  /** Days on which Parley ran: the only ones that a clock set wrong cannot make up. */
  readonly days: number;
  /** Nothing is removed before so many. */
  readonly waitUntil: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Whoever is away for longer waits a few days for the first removal; a clock that is wrong is set right by then. */
const jumpDays = 14;
const waitDays = 3;
const lookEveryMs = 6 * 60 * 60 * 1000;

/** Says what has been kept for long enough. It believes the calendar only as far as Parley was there. */
export class Retention {
  readonly #deps: Deps;
  readonly #writes = new SerialQueue();
  #seen: Seen | undefined;
  #told = false;
  #stop: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Looks at the calendar now and every few hours, so that a Parley that runs for weeks makes no jump. */
  begin(): void {
    this.#look();
    this.#stop ??= repeatEvery(this.#deps.clock, lookEveryMs, () => {
      this.#look();
      return undefined;
    });
  }

  async end(): Promise<void> {
    this.#stop?.();
    await this.#writes.settled();
  }

  /** On how many days Parley has run. */
  get days(): number {
    return this.#look().days;
  }

  /**
   * What is older than this may go of what is kept for so many days; nothing where all is to stay, or the calendar is not
   * to be believed.
   */
  cutoff(kind: KeptFor): number | undefined {
    const days = this.#deps.privacy()[kind];
    const seen = this.#look();
    if (days === 'forever' || seen.days < seen.waitUntil) return undefined;
    return this.#deps.wallNow() - days * dayMs;
  }

  #look(): Seen {
    const { file, wallNow } = this.#deps;
    const now = wallNow();
    const before = (this.#seen ??= readSeen(file));
    const after = seenAt(now, before);
    this.#seen = after;
    if (before !== undefined && after.waitUntil > before.waitUntil)
      this.#tell(now - before.lastSeenAt);
    if (before === undefined || !isSameDay(before, after) || after.waitUntil !== before.waitUntil) {
      const text = `${JSON.stringify({ version: 1, ...after })}\n`;
      // Where it cannot be written the next start knows less, and keeps the more.
      void this.#writes.run(() => file.write(text));
    }
    return after;
  }

  #tell(jumpMs: number): void {
    const { privacy, tell } = this.#deps;
    if (this.#told || !removesAnything(privacy())) return;
    this.#told = true;
    tell(appError('deletionPostponed', { days: Math.round(jumpMs / dayMs), wait: waitDays }));
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

function seenAt(now: number, before: Seen | undefined): Seen {
  // Nobody knows yet whether the clock is right: that is seen on the second day.
  if (before === undefined) return { lastSeenAt: now, days: 1, waitUntil: 2 };
  // Set back, the clock makes no new day.
  const days = dayOf(now) > dayOf(before.lastSeenAt) ? before.days + 1 : before.days;
  const jumped = now - before.lastSeenAt > jumpDays * dayMs;
  return { lastSeenAt: now, days, waitUntil: jumped ? days + waitDays : before.waitUntil };
}

function isSameDay(one: Seen, other: Seen): boolean {
  return dayOf(one.lastSeenAt) === dayOf(other.lastSeenAt);
}

function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

function readSeen(file: Pick<StateFile, 'read'>): Seen | undefined {
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
  /** A folder of its own for each kind. */
  readonly folder: DataFolder;
  /** On how many days Parley has run. */
  readonly days: () => number;
}

/** Days on which Parley ran, so that no clock can empty it. */
const keptDays = 7;

/** What was removed by itself, for a while longer: by hand it can be had back. */
export class Trash {
  readonly #deps: TrashDeps;

  constructor(deps: TrashDeps) {
    this.#deps = deps;
  }

  /** Takes one out of the folder that it is in. */
  async put(from: DataFolder, name: string): Promise<Outcome<undefined>> {
    const { folder, days } = this.#deps;
    const made = await folder.make();
    return made.ok ? from.move(name, `${folder.path}/${days()}-${name}`) : made;
  }

  /** For good, what has been here for long enough. */
  async tidy(): Promise<Outcome<undefined>> {
    const { folder, days } = this.#deps;
    const names = await folder.names();
    if (!names.ok) return names;
    const old = names.value.filter((name) => days() - dayIn(name) >= keptDays);
    const removed = await Promise.all(old.map((name) => folder.remove(name)));
    return removed.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
  }
}

/** What somebody has put there by hand stays. */
function dayIn(name: string): number {
  const day = /^(\d+)-/u.exec(name)?.[1];
  return day === undefined ? Infinity : Number(day);
}

interface HistoryRetentionDeps {
  readonly retention: Pick<Retention, 'cutoff'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly talks: Pick<TalkSource, 'list' | 'record'>;
  readonly talkFolder: DataFolder;
  readonly talkTrash: Pick<Trash, 'put' | 'tidy'>;
  readonly sync: Pick<IndexSync, 'forget'>;
  readonly tapes: Pick<TalkTapes, 'isRecording'>;
  readonly tapeFolder: DataFolder;
  readonly tapeTrash: Pick<Trash, 'put' | 'tidy'>;
  /** Whether the tape of this name stays for as long as the person wants: its talk is pinned, or it was saved by hand. */
  readonly tapeStays: (name: string) => Promise<boolean>;
  readonly chatStore: Pick<ChatStore, 'list'>;
  /** Lets written conversations go that are old; asked for where there may be one. */
  readonly tidyChats: () => Promise<void>;
  readonly chatTrash: Pick<Trash, 'tidy'>;
  readonly trouble: (error: AppError) => void;
}

/** A start has better things to do, and thousands of files may have to be looked at. */
const afterStartMs = 20_000;

/**
 * Puts talks, tapes and written conversations into the trash once they are older than the person wants. It runs soon
 * after the start and every six hours; no talk and nothing else that a person begins waits for it.
 */
export class HistoryRetention {
  readonly #deps: HistoryRetentionDeps;
  #stop: (() => void) | undefined;
  #tidying = false;

  constructor(deps: HistoryRetentionDeps) {
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
      // A Parley that runs for weeks lets things go, too.
      this.#stop = repeatEvery(clock, lookEveryMs, tidy);
    });
  }

  end(): void {
    this.#stop?.();
  }

  async #tidy(): Promise<void> {
    const { talkTrash, tapeTrash, chatTrash, trouble } = this.#deps;
    const failures = [
      ...(await this.#tidyKind('talkDays', talkTrash, this.#tidyTalks)),
      ...(await this.#tidyKind('tapeDays', tapeTrash, this.#tidyTapes)),
      ...(await this.#tidyKind('days', chatTrash, this.#tidyChats)),
    ];
    const [first] = failures;
    if (first !== undefined) trouble(first.error);
  }

  async #tidyKind(
    kind: KeptFor,
    trash: Pick<Trash, 'tidy'>,
    removeOld: (oldest: number) => Promise<readonly Failure[]>,
  ): Promise<readonly Failure[]> {
    const emptied = await trash.tidy();
    const oldest = this.#deps.retention.cutoff(kind);
    const removed = oldest === undefined ? [] : await removeOld(oldest);
    return emptied.ok ? removed : [emptied, ...removed];
  }

  /** Pinned ones stay. */
  readonly #tidyTalks = async (oldest: number): Promise<readonly Failure[]> => {
    const { talks, talkFolder, talkTrash, sync } = this.#deps;
    const listed = await talks.list();
    if (!listed.ok) return [listed];
    const failures: Failure[] = [];
    for (const { id, version } of listed.value) {
      // What was written lately is no older than that, and need not be read.
      if (writtenAt(version) >= oldest) continue;
      const stored = await talks.record(id);
      // What cannot be read goes with its time, too.
      const stays =
        stored.ok && (stored.value.record.pinned || stored.value.record.savedAt >= oldest);
      if (stays) continue;
      const put = await talkTrash.put(talkFolder, id);
      if (put.ok) await sync.forget([{ kind: 'talk', id }]);
      else failures.push(put);
    }
    return failures;
  };

  readonly #tidyTapes = async (oldest: number): Promise<readonly Failure[]> => {
    const { tapes, tapeFolder, tapeTrash, tapeStays } = this.#deps;
    const old = await tapeFolder.unchangedSince(oldest);
    if (!old.ok) return [old];
    const failures: Failure[] = [];
    for (const name of old.value) {
      if (tapes.isRecording(name) || (await tapeStays(name))) continue;
      const put = await tapeTrash.put(tapeFolder, name);
      if (!put.ok) failures.push(put);
    }
    return failures;
  };

  readonly #tidyChats = async (oldest: number): Promise<readonly Failure[]> => {
    const { chatStore, tidyChats } = this.#deps;
    const listed = await chatStore.list();
    if (!listed.ok) return [listed];
    if (listed.value.some(({ version }) => writtenAt(version) < oldest)) await tidyChats();
    return [];
  };
}

/** The store's versions begin with the time of the file. */
function writtenAt(version: string): number {
  return Number(version.split(' ', 1)[0]);
}
