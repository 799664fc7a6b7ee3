import { appError, done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { RequestInput } from '../../shared/ipc/contract.ts';
import type { TalkHandlers } from '../../shared/ipc/talk-ipc.ts';
import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { TalkInfo, TalkView } from '../../shared/talk/talk-view.ts';
import { ActiveTalk, type TalkControllerDeps, type TalkPlan } from './active-talk.ts';
import type { Conversation } from './conversation.ts';
import { TalkKeyHolders } from './keys/talk-key-holders.ts';
import { type CrashedTalk, crashedTalkTranscript } from './talk-journal.ts';
import { TalkReporter } from './talk-reporter.ts';

type ControllerState =
  | { readonly kind: 'empty' }
  /** The earlier talk is closed once the next one can begin. */
  | { readonly kind: 'starting'; readonly before: ActiveTalk | undefined }
  | { readonly kind: 'talking'; readonly talk: ActiveTalk };

/** Controls the one spoken conversation of this Parley, for pages, keys and commands. */
export class TalkController {
  readonly #deps: TalkControllerDeps;
  readonly #reporter: TalkReporter;
  readonly #stopListening: readonly (() => void)[];
  #state: ControllerState = { kind: 'empty' };
  #over = false;
  #forgetCougher: () => void = () => undefined;

  readonly talkKey: TalkKeyHolders;

  readonly handlers: TalkHandlers = {
    talk: () => this.view,
    startTalk: ({ mode }) => this.start(mode),
    continueTalk: (input) => this.continue(input),
    endTalk: () => this.withTalk((talk) => talk.end()),
    interruptTalk: () => this.withTalk((talk) => talk.interrupt()),
    talkKey: ({ key }, page) => this.talkKey.handle(page, key),
    networkBack: () => {
      this.#talk?.conversation.onNetworkBack();
    },
    setTalking: ({ mode }) =>
      this.withTalk(({ controls }) => {
        controls.setTalking(mode);
        // The next talk begins with the same mode.
        this.#deps.settings.change({ talking: { mode } });
      }),
    setMuted: ({ muted }) => this.withTalk(({ controls }) => controls.setMuted(muted)),
    setCoughMuted: ({ muted }, page) => {
      const set = this.withTalk(({ controls }) => controls.setCoughMuted(muted));
      this.#forgetCougher();
      // A page that is gone cannot report that the user released its key or button.
      this.#forgetCougher = muted
        ? page.whenGone(() => this.withTalk(({ controls }) => controls.setCoughMuted(false)))
        : () => undefined;
      return set;
    },
    hearComputer: ({ on }) => this.#hearComputer(on),
    setPaused: ({ paused }) => this.withTalk((talk) => talk.setPaused(paused)),
  };

  constructor(deps: TalkControllerDeps) {
    this.#deps = deps;
    this.#reporter = new TalkReporter(deps);
    this.talkKey = new TalkKeyHolders({
      clock: deps.clock,
      withTalk: (act) => this.withTalk(act),
      onClosed: (error) => this.#reporter.reportTrouble(error),
    });
    const followSettings = deps.settings.listen((event) => {
      if (event.kind !== 'changed') return;
      this.#talk?.devices.applySettings(event.settings.audio);
      const { mode } = event.settings.talking;
      if (mode !== event.before.talking.mode) this.#talk?.conversation.controls.setTalking(mode);
    });
    const { systemSleep } = deps;
    const followSleep = systemSleep?.onResume(() => {
      this.#talk?.conversation.onSystemWake();
    });
    // Parley misses the release of the key while the screen is locked or the computer sleeps, so it closes the microphone
    // beforehand.
    const closeTalkKey = (): void => {
      this.talkKey.close(appError('talkKeyLocked'));
    };
    this.#stopListening = [
      followSettings,
      followSleep,
      systemSleep?.onSuspend?.(closeTalkKey),
      systemSleep?.onLock?.(closeTalkKey),
    ].filter((stop) => stop !== undefined);
  }

  get view(): TalkView {
    return this.#reporter.view;
  }

  /** Shows a talk cut by a crash as ended, so that the user can continue it. */
  async restore(): Promise<void> {
    const crashed = await this.#deps.journal.readCrashedTalk();
    if (crashed === undefined || this.#state.kind !== 'empty' || this.#over) return;
    this.#reporter.showCrashed(crashed);
  }

  /** Keeps the journal for a restart of Parley, regardless of how this talk ends. */
  saveForRestart(): Promise<void> {
    return this.#deps.journal.saveForRestart();
  }

  async start(mode: DuplexMode, earlier?: CrashedTalk): Promise<Outcome<TalkInfo>> {
    if (this.#state.kind === 'starting') return failure('talkStartingAlready');
    const before = this.#talk;
    if (before?.hasEnded === false) return failure('talkGoingOn');
    this.#state = { kind: 'starting', before };
    try {
      return await this.#start(mode, before, earlier);
    } finally {
      // The start failed, so the earlier talk is available again.
      if (this.#state.kind === 'starting')
        this.#state = before === undefined ? { kind: 'empty' } : { kind: 'talking', talk: before };
    }
  }

  async continue({ carry }: RequestInput<'continueTalk'>): Promise<Outcome<undefined>> {
    const talk = this.#talk;
    const { crashed } = this.#reporter;
    if (talk === undefined && crashed !== undefined) return this.#continueCrashed(crashed, carry);
    if (talk?.hasEnded !== true) return failure('noEndedTalk');
    await this.#deps.acquireSound?.();
    // Meanwhile the user may have started another talk, or clicked twice.
    if (this.#talk !== talk) return failure('talkStartingAlready');
    if (!talk.hasEnded) return done;
    talk.conversation.continueTalk(carry);
    await talk.open();
    return done;
  }

  async #continueCrashed(
    crashed: CrashedTalk,
    carry: 'transcript' | 'nothing',
  ): Promise<Outcome<undefined>> {
    const started = await this.start(
      crashed.talk.mode,
      carry === 'transcript' ? crashed : undefined,
    );
    return started.ok ? done : started;
  }

  /** Runs an action on the active talk; fails without one. */
  withTalk(act: (conversation: Conversation) => void): Outcome<undefined> {
    const talk = this.#talk;
    if (talk === undefined) {
      return failure(this.#state.kind === 'starting' ? 'talkStarting' : 'noTalk');
    }
    act(talk.conversation);
    return done;
  }

  #hearComputer(on: boolean): Outcome<undefined> {
    const { devices, hasEnded } = this.#talk ?? {};
    if (devices === undefined || hasEnded === true) return failure('noTalk');
    if (devices.computer.state.kind === 'unsupported') return failure('computerSoundUnsupported');
    void devices.computer.turn(on);
    return done;
  }

  async end(): Promise<void> {
    this.#over = true;
    for (const stop of this.#stopListening) stop();
    this.talkKey.forget();
    const talk = this.#state.kind === 'starting' ? this.#state.before : this.#talk;
    this.#state = { kind: 'empty' };
    this.#reporter.dropCrashed();
    await talk?.close();
  }

  /** Whether a talk uses the microphone and speaker, or is about to. */
  get isActive(): boolean {
    return this.#state.kind === 'starting' || this.#talk?.hasEnded === false;
  }

  get #talk(): ActiveTalk | undefined {
    return this.#state.kind === 'talking' ? this.#state.talk : undefined;
  }

  async #start(
    mode: DuplexMode,
    before: ActiveTalk | undefined,
    earlier: CrashedTalk | undefined,
  ): Promise<Outcome<TalkInfo>> {
    if (this.#over) return closing;
    await this.#deps.acquireSound?.();
    const plan = await this.#plan(mode);
    if (!plan.ok) return plan;
    const server = await this.#deps.connect(plan.value);
    if (!server.ok) return server;
    if (!this.#over) await before?.close();
    // Parley may close while this waits; a talk that began now would never end.
    if (this.#over) {
      await server.value.onEnded?.();
      return closing;
    }
    const facts = { mode, endpoint: server.value.name };
    this.talkKey.forget();
    this.#reporter.reportStart(facts, server.value, {
      missing: this.#deps.missingVoiceErrors?.() ?? [],
      earlier,
    });
    server.value.onShown?.();
    const talk = new ActiveTalk(
      plan.value,
      server.value,
      earlier && crashedTalkTranscript(earlier),
      this.#deps,
      this.#reporter.onEvent,
    );
    this.#state = { kind: 'talking', talk };
    await talk.open();
    return { ok: true, value: facts };
  }

  async #plan(mode: DuplexMode): Promise<Outcome<TalkPlan>> {
    const { sessionSettings, carryOverMessages, talkToolPrompts } = this.#deps;
    const settings = await sessionSettings();
    if (!settings.ok) return settings;
    const { chunkMs } = this.#deps.settings.get().assistant.generation;
    const [carryOver, talkTools] = await Promise.all([carryOverMessages(), talkToolPrompts()]);
    const plan = { mode, chunkMs, settings: settings.value, carryOver, talkTools };
    return { ok: true, value: plan };
  }
}

const closing = failure('shuttingDown');
