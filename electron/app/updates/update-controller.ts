import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { UpdateHandlers } from '../../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import {
  type Clock,
  type Random,
  repeatEvery,
  type WallClock,
} from '../../../shared/ports/clock.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { DesktopSettings } from '../../../shared/settings/app-settings.ts';
import {
  judgeUpdate,
  readUpdateFeed,
  type RunningUpdateStep,
  type UpdateGround,
  type UpdateOffer,
  type UpdatePlace,
  type UpdateSource,
} from '../../../shared/updates/update-feed.ts';
import {
  noUpdates,
  type UpdateStep,
  type UpdateView,
} from '../../../shared/updates/update-view.ts';
import { goBack, UpdateMemoryStore } from './update-memory.ts';

/** What the updates go by and reach. */
interface UpdateControllerDeps {
  readonly running: string;
  readonly source: UpdateSource;
  readonly ground: Exclude<UpdateGround, { readonly way: 'system' }>;
  readonly file: StateFile;
  readonly setting: () => DesktopSettings['updates'];
  readonly talking: () => boolean;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** The same, in the form of a feed's dates. */
  readonly date: () => string;
  readonly random: Random;
  readonly log: Log;
  readonly post: PostNotice;
  /** Quits, and starts whatever then stands in the place of this version. */
  readonly restart: () => void;
}

const lookEveryMs = 10 * 60_000;

/**
 * From a signed feed to the version that takes this one's place when Parley is quit. Nothing is fetched or unpacked
 * while a talk goes on, and nothing is ever restarted by itself.
 */
export class UpdateController {
  readonly #deps: UpdateControllerDeps;
  readonly #memory: UpdateMemoryStore;
  readonly #run = new UpdateRun();
  #view: UpdateView = noUpdates;
  #dueAt = 0;
  /** What is being brought here, or waits for that. */
  #offer: UpdateOffer | undefined;
  #next: string | undefined;
  #stopTimer: () => void = () => undefined;
  /** Where a person has said so. */
  #switchTo: 'next' | 'previous' | undefined;

  readonly handlers: UpdateHandlers = {
    updates: () => this.#view,
    checkForUpdates: async () => {
      await this.#check(true);
    },
    fetchUpdate: () => {
      void this.#bring();
    },
    switchVersion: ({ to }) => {
      if (this.#deps.talking()) return failure('talkGoingOn');
      const there = to === 'next' ? this.#next : this.#view.previous;
      if (there === undefined) return failure('updatePreviousGone');
      this.#switchTo = to;
      this.#deps.restart();
      return done;
    },
    updateSeen: () => {
      this.#memory.change({ told: this.#view.news });
      this.#show({ news: undefined });
    },
  };

  constructor(deps: UpdateControllerDeps) {
    this.#deps = deps;
    this.#memory = new UpdateMemoryStore(deps.file, deps.random());
  }

  /** For hosts that stay; before it nothing is looked at. */
  async begin(): Promise<void> {
    const { ground, clock, random, wallClock } = this.#deps;
    const { failed, notes, checkedAt } = this.#memory.now;
    if (failed !== undefined) this.#memory.change({ failed: undefined });
    this.#dueAt = nextUpdateCheck(checkedAt, 'start', wallClock(), random());
    this.#stopTimer = repeatEvery(clock, lookEveryMs, () => {
      if (this.#isDue()) void this.#check(false);
      return undefined;
    });
    const beside = ground.way === 'replaces' ? await ground.place.look() : undefined;
    this.#next = beside?.next;
    if (this.#next !== undefined) this.#tell({ kind: 'ready', version: this.#next, notes });
    this.#show({ way: ground.way, previous: beside?.previous, problem: failed });
  }

  end(): void {
    this.#stopTimer();
    this.#run.stop();
  }

  /** A talk has begun or is over: its sound comes first. */
  talkChanged(): void {
    const { kind } = this.#view.step;
    if (!this.#deps.talking()) {
      if (kind === 'waiting') void this.#bring();
    } else if (kind === 'fetching' || kind === 'preparing') this.#run.stop();
  }

  settingChanged(): void {
    const setting = this.#deps.setting();
    const { kind } = this.#view.step;
    if (setting === 'off') {
      const stopsFirst = this.#run.isBusy;
      this.#run.stop();
      void this.#dropNext();
      if (!stopsFirst) void this.#deps.source.clear();
      if (kind !== 'checking') this.#show({ step: { kind: 'idle' } });
    } else if (setting === 'auto' && kind === 'offered') void this.#bring();
  }

  /** The last of all, when nothing of this version is used any more. */
  async leave(): Promise<void> {
    const { ground, running, log } = this.#deps;
    const to = this.#switchTo ?? (this.#next === undefined ? undefined : 'next');
    if (ground.way === 'replaces' && to !== undefined) {
      const swapped = await (to === 'previous'
        ? goBack(ground.place, this.#memory, running)
        : ground.place.swap(to));
      if (!swapped.ok) {
        log.write('warn', `the other version was not put in place: ${describe(swapped.error)}`);
        this.#memory.change({ failed: swapped.error });
      }
    }
    await this.#memory.settled();
  }

  #isDue(): boolean {
    const { setting, talking, wallClock } = this.#deps;
    return setting() !== 'off' && !talking() && isUpdateDue(this.#dueAt, wallClock());
  }

  async #check(asked: boolean): Promise<void> {
    const { source, random, wallClock } = this.#deps;
    if (this.#run.isBusy || this.#view.step.kind === 'waiting') return;
    this.#show({ step: { kind: 'checking' }, problem: undefined });
    const described = await this.#run.of(source.describe());
    const now = wallClock();
    this.#memory.change({ checkedAt: now });
    this.#dueAt = nextUpdateCheck(
      now,
      described?.ok === true ? 'checked' : 'failed',
      now,
      random(),
    );
    if (described === undefined) this.#afterStop();
    else if (described.ok) await this.#judge(described.value, asked);
    else this.#fail(described.error);
  }

  async #judge(text: string, asked: boolean): Promise<void> {
    const { source, ground, running, setting, log, date } = this.#deps;
    const { fileEnd } = ground;
    const feed = readUpdateFeed(text);
    if (typeof feed === 'string') {
      log.write('warn', `the update feed cannot be read: ${feed}`);
      this.#fail(appError('updateFeedDamaged', { host: source.host }));
      return;
    }
    const known = { ...this.#memory.now, running, fileEnd, now: date(), asked };
    const verdict = judgeUpdate(feed, known);
    if (!('kind' in verdict)) {
      this.#fail(verdict.error);
      return;
    }
    this.#memory.change({ issuedBefore: feed.issuedAt });
    this.#offer = verdict.kind === 'offer' ? verdict.offer : undefined;
    if (this.#next !== this.#offer?.version) await this.#dropNext();
    if (verdict.kind !== 'offer') this.#show({ step: verdict });
    else if (this.#next !== undefined) this.#tell({ kind: 'ready', ...verdict.offer });
    else if (ground.way === 'replaces' && setting() === 'auto') await this.#bring();
    else this.#tell({ kind: 'offered', ...verdict.offer });
  }

  /** What was offered and is not any more was withdrawn by its makers, or is outdone. */
  async #dropNext(): Promise<void> {
    const { ground } = this.#deps;
    if (this.#next === undefined) return;
    this.#next = undefined;
    this.#show({ news: undefined });
    if (ground.way === 'replaces') await ground.place.drop();
  }

  async #bring(): Promise<void> {
    const { source, ground, talking } = this.#deps;
    const offer = this.#offer;
    if (offer === undefined || ground.way !== 'replaces' || this.#run.isBusy) return;
    const { version, notes } = offer;
    if (talking()) {
      this.#show({ step: { kind: 'waiting', version, notes } });
      return;
    }
    const show = (step: UpdateStep): void => {
      this.#show({ step, problem: undefined });
    };
    const laidOut = await this.#run.layOut({ source, place: ground.place, offer, show });
    if (laidOut === undefined) this.#afterStop();
    else if (laidOut.ok) {
      this.#next = version;
      // Who had gone back from it has asked for it again.
      this.#memory.change({ notes, leftBehind: undefined });
      this.#tell({ kind: 'ready', version, notes });
    } else this.#fail(laidOut.error);
  }

  /** It was stopped for a talk, or because nothing is wanted any more. */
  #afterStop(): void {
    const wanted = this.#offer !== undefined && this.#deps.setting() !== 'off';
    if (wanted && !this.#run.isBusy) void this.#bring();
    else this.#show({ step: { kind: 'idle' } });
    // A part of a download is of no use to who wants no updates.
    if (this.#deps.setting() === 'off') void this.#deps.source.clear();
  }

  #tell(step: Extract<UpdateStep, { readonly kind: 'ready' | 'offered' }>): void {
    const { kind, version, notes } = step;
    const news = this.#memory.now.told === version ? undefined : version;
    this.#show({ step: { kind, version, notes }, problem: undefined, news });
  }

  #fail(problem: AppError): void {
    this.#deps.log.write('warn', `no update: ${describe(problem)}`);
    const version = this.#next;
    const { notes } = this.#memory.now;
    const step: UpdateStep =
      version === undefined ? { kind: 'idle' } : { kind: 'ready', version, notes };
    this.#show({ step, problem });
  }

  #show(part: Partial<UpdateView>): void {
    this.#view = { ...this.#view, ...part };
    this.#deps.post('updatesChanged', this.#view);
  }
}

function describe({ code, detail }: AppError): string {
  return detail === undefined ? code : `${code} (${detail})`;
}

interface LayingOut {
  readonly source: UpdateSource;
  readonly place: UpdatePlace;
  readonly offer: UpdateOffer;
  readonly show: (step: UpdateStep) => void;
}

/** Less of it than that is not shown. */
const shownPart = 0.01;

/** One step at a time, which can be stopped. */
class UpdateRun {
  #stop: (() => void) | undefined;

  get isBusy(): boolean {
    return this.#stop !== undefined;
  }

  readonly stop = (): void => {
    this.#stop?.();
  };

  /** Nothing where it was stopped. */
  async of<Value>(step: RunningUpdateStep<Value>): Promise<Outcome<Value> | undefined> {
    let stopped = false;
    this.#stop = () => {
      stopped = true;
      step.stop();
    };
    const outcome = await step.done;
    this.#stop = undefined;
    return stopped ? undefined : outcome;
  }

  /** From an offer to a version that lies beside this one, and was tried. */
  async layOut({ source, place, offer, show }: LayingOut): Promise<Outcome<undefined> | undefined> {
    const { version, notes } = offer;
    let shown = 0;
    show({ kind: 'fetching', part: 0, version, notes });
    const fetched = await this.of(
      source.fetch(offer, (part) => {
        if (part - shown < shownPart) return;
        shown = part;
        show({ kind: 'fetching', part, version, notes });
      }),
    );
    if (fetched?.ok !== true) return fetched;
    show({ kind: 'preparing', version, notes });
    const prepared = await this.of(place.prepare(fetched.value, version));
    // It has its place, or is of no use; one that was stopped is unpacked once more.
    if (prepared !== undefined) await source.clear();
    return prepared;
  }
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** How far apart those are spread who would all ask at once. */
const spreads = { start: 20 * 60_000, checked: 2 * hourMs, failed: hourMs } as const;

/**
 * When a feed is looked at next, by the machine's own clock: once a day, a while after the first start, and after
 * one that failed in a few hours.
 */
function nextUpdateCheck(
  checkedAt: number | undefined,
  after: keyof typeof spreads,
  now: number,
  dice: number,
): number {
  const spread = dice * spreads[after];
  if (after === 'failed') return now + 2 * hourMs + spread;
  return checkedAt === undefined ? now + spread : checkedAt + dayMs + spread;
}

/** Also where the clock was set back by more than it can be until then. */
function isUpdateDue(dueAt: number, now: number): boolean {
  return now >= dueAt || dueAt - now > 2 * dayMs;
}
