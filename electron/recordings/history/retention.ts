import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import type { DataFolder, StateFile } from '../../../shared/ports/files.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { PrivacySettings } from '../../../shared/settings/privacy-settings.ts';

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
