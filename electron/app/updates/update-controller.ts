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
import type { SettingsReader } from '../../../shared/settings/settings.ts';
import type { DesktopSettings } from '../../../shared/settings/app-settings.ts';
import {
  judgeUpdate,
  readUpdateFeed,
  type UpdateOffer,
} from '../../../shared/updates/update-feed.ts';
import { noUpdates, type UpdateStep, type UpdateView } from '../../../shared/app/program.ts';
import type { NoticeBoard } from '../ipc/request-dispatcher.ts';
import type { UpdateMethod } from './find-updates.ts';
import { UpdateStateStore } from './update-state.ts';

interface UpdateControllerDeps {
  readonly runningVersion: string;
  readonly method: UpdateMethod;
  readonly file: StateFile;
  readonly setting: () => DesktopSettings['updates'];
  readonly isTalking: () => boolean;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly log: Log;
  readonly post: PostNotice;
  /** Quits and starts the version now installed. */
  readonly restart: () => void;
}

const pollEveryMs = 10 * 60_000;

/** The smallest increase of the download's fraction that is posted to pages. */
const minShownStep = 0.01;

/**
 * Checks a signed feed, downloads an update and installs it. Downloads no package during a talk, and never restarts
 * without a request.
 */
export class UpdateController {
  readonly #deps: UpdateControllerDeps;
  readonly #stored: UpdateStateStore;
  #view: UpdateView;
  #dueAt = 0;
  /** The update that the newest feed offers. */
  #offer: UpdateOffer | undefined;
  /** The installed update, which runs from the next start. */
  #installed: UpdateOffer | undefined;
  #stopTimer: () => void = () => undefined;
  #stepInProgress: AbortController | undefined;

  readonly handlers: UpdateHandlers = {
    updates: () => this.#view,
    checkForUpdates: async () => {
      await this.#check(true);
    },
    fetchUpdate: () => {
      void this.#install();
    },
    switchVersion: async ({ to }) => {
      const { method, isTalking, restart } = this.#deps;
      if (isTalking()) return failure('talkGoingOn');
      const version = to === 'next' ? this.#installed?.version : this.#view.previous;
      if (version === undefined || method.kind !== 'installs') return failure('updateVersionGone');
      const placed = to === 'previous' ? await method.place.rollBack(version) : done;
      if (placed.ok) restart();
      return placed;
    },
    updateSeen: () => {
      const { unseenVersion } = this.#view;
      // Already marked as seen, by the first click of a double click or in another tab.
      if (unseenVersion === undefined) return;
      this.#stored.change({ notifiedVersion: unseenVersion });
      this.#show({ unseenVersion: undefined });
    },
  };

  constructor(deps: UpdateControllerDeps) {
    this.#deps = deps;
    this.#stored = new UpdateStateStore(deps.file, deps.random());
    this.#view = { ...noUpdates, mode: deps.method.kind };
  }

  /** Starts the regular checks. Only long-running hosts call this. */
  async begin(): Promise<void> {
    const { method, clock, random, wallClock } = this.#deps;
    if (!('source' in method)) return;
    this.#dueAt = nextUpdateCheck(this.#stored.now.checkedAt, 'start', wallClock(), random());
    this.#stopTimer = repeatEvery(clock, pollEveryMs, () => {
      if (this.#isDue()) void this.#check(false);
      return undefined;
    });
    if (method.kind === 'installs') this.#show({ previous: await method.place.previous() });
  }

  /** Follows talks and the setting until the returned function is called. */
  follow(notices: Pick<NoticeBoard, 'listen'>, settings: Pick<SettingsReader, 'listen'>) {
    const stopTalks = notices.listen(({ name }) => {
      if (name === 'talkBegan' || name === 'talkState') this.talkChanged();
    });
    const stopSettings = settings.listen((event) => {
      if (event.kind !== 'changed') return;
      if (event.settings.desktop.updates !== event.before.desktop.updates) this.settingChanged();
    });
    return (): void => {
      stopTalks();
      stopSettings();
    };
  }

  async end(): Promise<void> {
    this.#stopTimer();
    this.#stepInProgress?.abort();
    await this.#stored.settled();
  }

  /** A talk began or ended. Downloads stop during a talk, so that they cannot disturb its sound. */
  talkChanged(): void {
    const { kind } = this.#view.step;
    if (!this.#deps.isTalking()) {
      if (kind === 'waiting') void this.#install();
    } else if (kind === 'fetching') this.#stepInProgress?.abort();
  }

  settingChanged(): void {
    const { method, setting } = this.#deps;
    const { kind } = this.#view.step;
    if (!('source' in method)) return;
    if (setting() === 'off') {
      void this.#rollBack();
      if (this.#stepInProgress === undefined) void method.source.clear();
      else this.#stepInProgress.abort();
      if (kind !== 'checking') this.#show({ step: { kind: 'idle' } });
    } else if (setting() === 'auto' && kind === 'offered') void this.#install();
  }

  #isDue(): boolean {
    const { setting, isTalking, wallClock } = this.#deps;
    return setting() !== 'off' && !isTalking() && isUpdateDue(this.#dueAt, wallClock());
  }

  /** Runs one step. Returns undefined if it was aborted. */
  async #run<Value>(
    step: (stop: AbortSignal) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value> | undefined> {
    const control = new AbortController();
    this.#stepInProgress = control;
    const outcome = await step(control.signal);
    this.#stepInProgress = undefined;
    return control.signal.aborted ? undefined : outcome;
  }

  async #check(isManual: boolean): Promise<void> {
    const { method, random, wallClock } = this.#deps;
    if (
      !('source' in method) ||
      this.#stepInProgress !== undefined ||
      this.#view.step.kind === 'waiting'
    )
      return;
    this.#show({ step: { kind: 'checking' }, problem: undefined });
    const described = await this.#run(method.source.describe);
    const now = wallClock();
    this.#stored.change({ checkedAt: now });
    this.#dueAt = nextUpdateCheck(
      now,
      described?.ok === true ? 'checked' : 'failed',
      now,
      random(),
    );
    if (described === undefined) this.#afterStop();
    else if (described.ok) await this.#evaluateFeed(described.value, isManual);
    else this.#fail(described.error);
  }

  async #evaluateFeed(text: string, isManual: boolean): Promise<void> {
    const { method, runningVersion, setting, log, wallClock } = this.#deps;
    if (!('source' in method)) return;
    const { source, packageSuffix } = method;
    const feed = readUpdateFeed(text);
    if (typeof feed === 'string') {
      log.write('warn', `the update feed cannot be read: ${feed}`);
      this.#fail(appError('updateFeedDamaged', { host: source.host }));
      return;
    }
    const { rolloutPosition, lastIssuedAt, installedVersion } = this.#stored.now;
    const now = new Date(wallClock()).toISOString();
    const rolledBackFrom = this.#installed === undefined ? installedVersion : undefined;
    const installation = {
      runningVersion,
      packageSuffix,
      now,
      lastIssuedAt,
      rolloutPosition,
      rolledBackFrom,
      isManual,
    };
    const verdict = judgeUpdate(feed, installation);
    if (!('kind' in verdict)) {
      this.#fail(verdict.error);
      return;
    }
    this.#stored.change({ lastIssuedAt: feed.issuedAt });
    this.#offer = verdict.kind === 'offer' ? verdict.offer : undefined;
    if (this.#installed?.version !== this.#offer?.version) await this.#rollBack();
    if (verdict.kind !== 'offer') this.#show({ step: verdict });
    else if (this.#installed !== undefined) this.#showReady(this.#installed);
    else if (method.kind === 'installs' && setting() === 'auto') await this.#install();
    else this.#showNews(offeredStep(verdict.offer, source.addressOf(verdict.offer)));
  }

  /** Reinstalls the running version if updates were turned off, or if the installed update was withdrawn or superseded. */
  async #rollBack(): Promise<void> {
    const { method, runningVersion } = this.#deps;
    if (this.#installed === undefined || method.kind !== 'installs') return;
    this.#installed = undefined;
    this.#stored.change({ installedVersion: undefined });
    this.#show({ unseenVersion: undefined });
    const back = await method.place.rollBack(runningVersion);
    if (!back.ok)
      this.#deps.log.write(
        'warn',
        `the running version could not be restored: ${describeProblem(back.error)}`,
      );
  }

  async #install(): Promise<void> {
    const { method, isTalking } = this.#deps;
    const offer = this.#offer;
    if (offer === undefined || method.kind !== 'installs' || this.#stepInProgress !== undefined)
      return;
    const { version, notes } = offer;
    if (isTalking()) {
      this.#show({ step: { kind: 'waiting', version, notes } });
      return;
    }
    const { source, place } = method;
    let shown = 0;
    const showProgress = (fraction: number): void => {
      shown = fraction;
      this.#show({
        step: { kind: 'fetching', fraction: fraction, version, notes },
        problem: undefined,
      });
    };
    showProgress(0);
    const showStep = (fraction: number): void => {
      if (fraction - shown >= minShownStep) showProgress(fraction);
    };
    const outcome = await this.#run(async (stop): Promise<Outcome<undefined>> => {
      const fetched = await source.fetch(offer, showStep, stop);
      if (!fetched.ok || stop.aborted)
        return fetched.ok ? failure('updateCutShort', { version }) : fetched;
      const replaced = await place.install(fetched.value);
      await source.clear();
      if (replaced.ok) this.#installed = offer;
      else return failure('updateNotSwapped', { version }, { cause: replaced.error });
      return replaced;
    });
    if (outcome === undefined) this.#afterStop();
    else if (outcome.ok) {
      this.#stored.change({ installedVersion: version });
      this.#showReady(offer);
    } else this.#fail(outcome.error);
  }

  /** Continues after a step was aborted, by a talk or because updates were turned off. */
  #afterStop(): void {
    const { method, setting } = this.#deps;
    const isOff = setting() === 'off';
    if (this.#offer !== undefined && !isOff && this.#stepInProgress === undefined)
      void this.#install();
    else this.#show({ step: { kind: 'idle' } });
    if (!isOff || !('source' in method)) return;
    // With updates off, partial downloads and installed updates are removed.
    void method.source.clear();
    void this.#rollBack();
  }

  /**
   * Shows that an update is installed. Until the restart the user cannot go back, because the installation deleted the
   * version before the running one.
   */
  #showReady({ version, notes }: UpdateOffer): void {
    this.#show({ previous: undefined });
    this.#showNews({ kind: 'ready', version, notes });
  }

  #showNews(step: Extract<UpdateStep, { readonly kind: 'ready' | 'offered' }>): void {
    const { version } = step;
    const unseenVersion = this.#stored.now.notifiedVersion === version ? undefined : version;
    this.#show({ step, problem: undefined, unseenVersion });
  }

  #fail(problem: AppError): void {
    this.#deps.log.write(
      'warn',
      `could not check for or install an update: ${describeProblem(problem)}`,
    );
    this.#show({ step: this.#stepAfterFailure(), problem });
  }

  /** A failure does not withdraw an update that was installed or offered before. */
  #stepAfterFailure(): UpdateStep {
    const { method } = this.#deps;
    const installed = this.#installed;
    if (installed !== undefined)
      return { kind: 'ready', version: installed.version, notes: installed.notes };
    const offer = this.#offer;
    if (offer === undefined || !('source' in method)) return { kind: 'idle' };
    return offeredStep(offer, method.source.addressOf(offer));
  }

  #show(changes: Partial<UpdateView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#deps.post('updatesChanged', this.#view);
  }
}

function offeredStep(
  { version, notes }: UpdateOffer,
  address: string,
): Extract<UpdateStep, { readonly kind: 'offered' }> {
  return { kind: 'offered', version, notes, address };
}

function describeProblem({ code, detail }: AppError): string {
  return detail === undefined ? code : `${code} (${detail})`;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** The maximum of a random delay, so that installations do not all check at once. */
const maxJitterMs = { start: 20 * 60_000, checked: 2 * hourMs, failed: hourMs } as const;

/**
 * Time of the next check, by the wall clock: once a day, soon after the first start, and a few hours after a
 * failure.
 */
function nextUpdateCheck(
  checkedAt: number | undefined,
  after: keyof typeof maxJitterMs,
  now: number,
  random: number,
): number {
  const jitter = random * maxJitterMs[after];
  if (after === 'failed') return now + 2 * hourMs + jitter;
  return checkedAt === undefined ? now + jitter : checkedAt + dayMs + jitter;
}

/** If the due time is days away, the wall clock was set back, and a check is due too. */
function isUpdateDue(dueAt: number, now: number): boolean {
  return now >= dueAt || dueAt - now > 2 * dayMs;
}
