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
  type UpdateOffer,
} from '../../../shared/updates/update-feed.ts';
import {
  noUpdates,
  type UpdateStep,
  type UpdateView,
} from '../../../shared/updates/update-view.ts';
import type { UpdateGround } from './find-updates.ts';
import { UpdateMemoryStore } from './update-memory.ts';

interface UpdateControllerDeps {
  readonly running: string;
  readonly ground: UpdateGround;
  readonly file: StateFile;
  readonly setting: () => DesktopSettings['updates'];
  readonly talking: () => boolean;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly log: Log;
  readonly post: PostNotice;
  /** Quits and starts the version now installed. */
  readonly restart: () => void;
}

const lookEveryMs = 10 * 60_000;

/** Smallest step of the download progress that is shown. */
const shownPart = 0.01;

/**
 * Checks a signed feed, downloads an update and installs it. Downloads nothing during a talk, and never
 * restarts by itself.
 */
export class UpdateController {
  readonly #deps: UpdateControllerDeps;
  readonly #memory: UpdateMemoryStore;
  #view: UpdateView;
  #dueAt = 0;
  /** The update being downloaded, or waiting for that. */
  #offer: UpdateOffer | undefined;
  /** The installed update, which runs from the next start. */
  #placed: UpdateOffer | undefined;
  #stopTimer: () => void = () => undefined;
  /** Aborts the step in progress. */
  #running: AbortController | undefined;

  readonly handlers: UpdateHandlers = {
    updates: () => this.#view,
    checkForUpdates: async () => {
      await this.#check(true);
    },
    fetchUpdate: () => {
      void this.#bring();
    },
    switchVersion: async ({ to }) => {
      const { ground, talking, restart } = this.#deps;
      if (talking()) return failure('talkGoingOn');
      const version = to === 'next' ? this.#placed?.version : this.#view.previous;
      if (version === undefined || ground.way !== 'replaces') return failure('updatePreviousGone');
      const placed = to === 'previous' ? await ground.place.putBack(version) : done;
      if (placed.ok) restart();
      return placed;
    },
    updateSeen: () => {
      this.#memory.change({ told: this.#view.unseenVersion });
      this.#show({ unseenVersion: undefined });
    },
  };

  constructor(deps: UpdateControllerDeps) {
    this.#deps = deps;
    this.#memory = new UpdateMemoryStore(deps.file, deps.random());
    this.#view = { ...noUpdates, mode: deps.ground.way };
  }

  /** Starts checking; for long-running hosts. */
  async begin(): Promise<void> {
    const { ground, clock, random, wallClock } = this.#deps;
    if (!('source' in ground)) return;
    this.#dueAt = nextUpdateCheck(this.#memory.now.checkedAt, 'start', wallClock(), random());
    this.#stopTimer = repeatEvery(clock, lookEveryMs, () => {
      if (this.#isDue()) void this.#check(false);
      return undefined;
    });
    if (ground.way === 'replaces') this.#show({ previous: await ground.place.previous() });
  }

  async end(): Promise<void> {
    this.#stopTimer();
    this.#running?.abort();
    await this.#memory.settled();
  }

  /** A talk began or ended. Downloads stop during a talk, so that they cannot disturb its sound. */
  talkChanged(): void {
    const { kind } = this.#view.step;
    if (!this.#deps.talking()) {
      if (kind === 'waiting') void this.#bring();
    } else if (kind === 'fetching') this.#running?.abort();
  }

  settingChanged(): void {
    const { ground, setting } = this.#deps;
    const { kind } = this.#view.step;
    if (!('source' in ground)) return;
    if (setting() === 'off') {
      void this.#withdraw();
      if (this.#running === undefined) void ground.source.clear();
      else this.#running.abort();
      if (kind !== 'checking') this.#show({ step: { kind: 'idle' } });
    } else if (setting() === 'auto' && kind === 'offered') void this.#bring();
  }

  #isDue(): boolean {
    const { setting, talking, wallClock } = this.#deps;
    return setting() !== 'off' && !talking() && isUpdateDue(this.#dueAt, wallClock());
  }

  /** Runs one step. Returns undefined if it was aborted. */
  async #run<Value>(
    step: (stop: AbortSignal) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value> | undefined> {
    const control = new AbortController();
    this.#running = control;
    const outcome = await step(control.signal);
    this.#running = undefined;
    return control.signal.aborted ? undefined : outcome;
  }

  async #check(asked: boolean): Promise<void> {
    const { ground, random, wallClock } = this.#deps;
    if (!('source' in ground) || this.#running !== undefined || this.#view.step.kind === 'waiting')
      return;
    this.#show({ step: { kind: 'checking' }, problem: undefined });
    const described = await this.#run(ground.source.describe);
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
    const { ground, running, setting, log, wallClock } = this.#deps;
    if (!('source' in ground)) return;
    const { source, fileEnd } = ground;
    const feed = readUpdateFeed(text);
    if (typeof feed === 'string') {
      log.write('warn', `the update feed cannot be read: ${feed}`);
      this.#fail(appError('updateFeedDamaged', { host: source.host }));
      return;
    }
    const { share, issuedBefore, placed } = this.#memory.now;
    const now = new Date(wallClock()).toISOString();
    const rolledBackFrom = this.#placed === undefined ? placed : undefined;
    const installation = {
      running,
      packageSuffix: fileEnd,
      now,
      lastIssuedAt: issuedBefore,
      rolloutPosition: share,
      rolledBackFrom,
      isManual: asked,
    };
    const verdict = judgeUpdate(feed, installation);
    if (!('kind' in verdict)) {
      this.#fail(verdict.error);
      return;
    }
    this.#memory.change({ issuedBefore: feed.issuedAt });
    this.#offer = verdict.kind === 'offer' ? verdict.offer : undefined;
    if (this.#placed?.version !== this.#offer?.version) await this.#withdraw();
    if (verdict.kind !== 'offer') this.#show({ step: verdict });
    else if (this.#placed !== undefined) this.#tellReady(this.#placed);
    else if (ground.way === 'replaces' && setting() === 'auto') await this.#bring();
    else {
      const { version, notes } = verdict.offer;
      this.#tell({ kind: 'offered', version, notes, address: source.addressOf(verdict.offer) });
    }
  }

  /** Reinstalls the running version if the update was turned off, withdrawn or superseded. */
  async #withdraw(): Promise<void> {
    const { ground, running } = this.#deps;
    if (this.#placed === undefined || ground.way !== 'replaces') return;
    this.#placed = undefined;
    this.#memory.change({ placed: undefined });
    this.#show({ unseenVersion: undefined });
    const back = await ground.place.putBack(running);
    if (!back.ok) this.#deps.log.write('warn', `no way back: ${describe(back.error)}`);
  }

  async #bring(): Promise<void> {
    const { ground, talking } = this.#deps;
    const offer = this.#offer;
    if (offer === undefined || ground.way !== 'replaces' || this.#running !== undefined) return;
    const { version, notes } = offer;
    if (talking()) {
      this.#show({ step: { kind: 'waiting', version, notes } });
      return;
    }
    const { source, place } = ground;
    let shown = 0;
    const showPart = (part: number): void => {
      shown = part;
      this.#show({ step: { kind: 'fetching', part, version, notes }, problem: undefined });
    };
    showPart(0);
    const showMore = (part: number): void => {
      if (part - shown >= shownPart) showPart(part);
    };
    const brought = await this.#run(async (stop): Promise<Outcome<undefined>> => {
      const fetched = await source.fetch(offer, showMore, stop);
      if (!fetched.ok || stop.aborted)
        return fetched.ok ? failure('updateCutShort', { version }) : fetched;
      const replaced = await place.replace(fetched.value);
      await source.clear();
      if (replaced.ok) this.#placed = offer;
      else return failure('updateNotSwapped', { version }, { cause: replaced.error });
      return replaced;
    });
    if (brought === undefined) this.#afterStop();
    else if (brought.ok) {
      this.#memory.change({ placed: version });
      this.#tellReady(offer);
    } else this.#fail(brought.error);
  }

  /** The step was aborted, by a talk or because updates were turned off. */
  #afterStop(): void {
    const { ground, setting } = this.#deps;
    const off = setting() === 'off';
    if (this.#offer !== undefined && !off && this.#running === undefined) void this.#bring();
    else this.#show({ step: { kind: 'idle' } });
    if (!off || !('source' in ground)) return;
    // With updates off, partial downloads and installed updates are removed.
    void ground.source.clear();
    void this.#withdraw();
  }

  /** Installing an update removed the previous version. */
  #tellReady({ version, notes }: UpdateOffer): void {
    this.#show({ previous: undefined });
    this.#tell({ kind: 'ready', version, notes });
  }

  #tell(step: Extract<UpdateStep, { readonly kind: 'ready' | 'offered' }>): void {
    const { version } = step;
    const news = this.#memory.now.told === version ? undefined : version;
    this.#show({ step, problem: undefined, unseenVersion: news });
  }

  #fail(problem: AppError): void {
    this.#deps.log.write('warn', `no update: ${describe(problem)}`);
    const placed = this.#placed;
    const step: UpdateStep =
      placed === undefined
        ? { kind: 'idle' }
        : { kind: 'ready', version: placed.version, notes: placed.notes };
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

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Random spread, so that installations do not all check at once. */
const spreads = { start: 20 * 60_000, checked: 2 * hourMs, failed: hourMs } as const;

/**
 * Time of the next check, by the wall clock: once a day, soon after the first start, and a few hours after a
 * failure.
 */
function nextUpdateCheck(
  checkedAt: number | undefined,
  after: keyof typeof spreads,
  now: number,
  random: number,
): number {
  const spread = random * spreads[after];
  if (after === 'failed') return now + 2 * hourMs + spread;
  return checkedAt === undefined ? now + spread : checkedAt + dayMs + spread;
}

/** Also due if the wall clock was set back. */
function isUpdateDue(dueAt: number, now: number): boolean {
  return now >= dueAt || dueAt - now > 2 * dayMs;
}
