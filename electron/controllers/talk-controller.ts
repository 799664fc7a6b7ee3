import { appError, failure } from '../../shared/errors/app-error.ts';
import type { DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import type { Handlers } from '../../shared/ipc/contract.ts';
import type { TalkRequests } from '../../shared/ipc/talk-contract.ts';
import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';
import type { TalkInfo, TalkView } from '../../shared/talk/talk-view.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import { unwrap } from '../ipc/request-refused-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import { openTalk, planTalk } from './open-talk.ts';
import type { ActiveTalk } from './open-talk.ts';
import type { TalkControllerDeps } from './talk-controller-deps.ts';
import { logTalkStats } from './sound-line.ts';
import { TalkKeyHolders } from './talk-key-holders.ts';
import { TalkPublisher } from './talk-publisher.ts';
import { viewOfCutTalk } from './talk-journal.ts';
import type { CutTalk } from './talk-journal.ts';
import { TalkStatsPublisher } from './talk-stats-publisher.ts';

type ControllerState =
  | { readonly kind: 'empty' }
  /** What has ended before is left once the next talk can begin. */
  | { readonly kind: 'starting'; readonly before: ActiveTalk | undefined }
  | { readonly kind: 'talking'; readonly talk: ActiveTalk };

export type TalkHandlers = Pick<Handlers, keyof TalkRequests>;

/** The one spoken conversation of this Parley: what pages ask for, and what is posted to them. */
export class TalkController {
  readonly #deps: TalkControllerDeps;
  readonly #publisher: TalkPublisher;
  readonly #stats: TalkStatsPublisher;
  readonly #stopListening: readonly (() => void)[];
  #state: ControllerState = { kind: 'empty' };
  #leaveFramePipeline: () => void = () => undefined;
  #over = false;
  #cut: CutTalk | undefined;

  /** The one talk key, whoever presses it. */
  readonly talkKey: TalkKeyHolders;

  /** What the requests about the spoken conversation do. */
  readonly handlers: TalkHandlers = {
    talk: () => this.view,
    startTalk: async ({ mode }) => unwrap(await this.start(mode)),
    continueTalk: async (input) => unwrap(await this.continue(input)),
    endTalk: () =>
      this.#do((talk) => {
        talk.end();
      }),
    interruptTalk: () =>
      this.#do((talk) => {
        talk.interrupt();
      }),
    talkKey: ({ key }, page) => unwrap(this.talkKey.handle(page, key)),
    networkBack: () => {
      this.#talk?.conversation.onNetworkBack();
      return undefined;
    },
    setTalking: ({ mode }) =>
      this.#do(({ controls }) => {
        controls.setTalking(mode);
      }),
    setMuted: ({ muted }) =>
      this.#do(({ controls }) => {
        controls.setMuted(muted);
      }),
    setCoughMuted: ({ muted }) =>
      this.#do(({ controls }) => {
        controls.setCoughMuted(muted);
      }),
    setPaused: ({ paused }) =>
      this.#do((talk) => {
        talk.setPaused(paused);
      }),
  };

  constructor(deps: TalkControllerDeps) {
    this.#deps = deps;
    this.#publisher = new TalkPublisher(deps.post);
    this.#stats = new TalkStatsPublisher(deps.post);
    this.talkKey = new TalkKeyHolders({
      clock: deps.clock,
      with: (act) => this.with(act),
      closed: (error) => {
        this.#publisher.publishTrouble(error);
      },
    });
    const followSettings = deps.settings.listen((event) => {
      if (event.kind !== 'changed') return;
      this.#talk?.devices.set(event.settings.audio);
      const { mode } = event.settings.talking;
      if (mode !== event.before.talking.mode) this.#talk?.conversation.controls.setTalking(mode);
    });
    const { systemSleep } = deps;
    const followSleep = systemSleep?.onResume(() => {
      this.#talk?.conversation.onSystemWake();
    });
    // Nobody sees a key come up behind a locked screen, and none comes up in a machine that sleeps.
    const closeHeld = (): void => {
      this.talkKey.close(appError('talkKeyLocked'));
    };
    this.#stopListening = [
      followSettings,
      followSleep,
      systemSleep?.onSuspend?.(closeHeld),
      systemSleep?.onLock?.(closeHeld),
    ].filter((stop) => stop !== undefined);
  }

  get view(): TalkView {
    return this.#publisher.view;
  }

  /** A talk that a crash has cut is shown as one that has ended, and can be gone on with. */
  async restore(): Promise<void> {
    const { journal, timeOfDay } = this.#deps;
    const cut = await journal.left();
    if (cut === undefined || this.#state.kind !== 'empty' || this.#over) return;
    this.#cut = cut;
    this.#publisher.publishEarlier(viewOfCutTalk(cut, timeOfDay));
  }

  /** Parley starts itself anew: what was said stays for then, however this talk ends. */
  keepForRestart(): Promise<void> {
    return this.#deps.journal.hold();
  }

  async start(mode: DuplexMode, earlier?: CutTalk): Promise<Outcome<TalkInfo>> {
    if (this.#state.kind === 'starting') return failure('talkStartingAlready');
    if (this.#state.kind === 'talking' && this.#phase !== 'ended') {
      return failure('talkGoingOn');
    }
    const before = this.#talk;
    this.#state = { kind: 'starting', before };
    try {
      return await this.#start(mode, before, earlier);
    } finally {
      // It has failed: what was there can still go on.
      if (this.#state.kind === 'starting') this.#state = stateWith(before);
    }
  }

  async continue({ carry }: TalkRequests['continueTalk']['input']): Promise<Outcome<undefined>> {
    const talk = this.#talk;
    if (talk === undefined && this.#cut !== undefined) return this.#continueCut(this.#cut, carry);
    if (talk === undefined || this.#phase !== 'ended') return failure('noEndedTalk');
    await this.#deps.acquireSound?.();
    // Meanwhile another one may have been begun, or this one gone on for who clicked twice.
    if (this.#talk !== talk) return failure('talkStartingAlready');
    if (this.#phase !== 'ended') return done;
    talk.conversation.continueTalk(carry);
    this.#joinFramePipeline(talk);
    await this.#openDevices(talk);
    return done;
  }

  async #continueCut(cut: CutTalk, carry: 'transcript' | 'nothing'): Promise<Outcome<undefined>> {
    const started = await this.start(cut.talk.mode, carry === 'transcript' ? cut : undefined);
    return started.ok ? done : started;
  }

  /** Does something with the talk there is; without one there is nothing to do it to. */
  with(act: (conversation: Conversation) => void): Outcome<undefined> {
    const talk = this.#talk;
    if (talk === undefined) {
      return failure(this.#state.kind === 'starting' ? 'talkStarting' : 'noTalk');
    }
    act(talk.conversation);
    return done;
  }

  #do(act: (conversation: Conversation) => void): undefined {
    return unwrap(this.with(act));
  }

  async end(): Promise<void> {
    this.#over = true;
    for (const stop of this.#stopListening) stop();
    this.talkKey.forget();
    const talk = this.#state.kind === 'starting' ? this.#state.before : this.#talk;
    this.#state = { kind: 'empty' };
    if (this.#cut !== undefined) this.#deps.journal.dropLeft();
    await this.#leave(talk);
  }

  /** Microphone and speaker are its own, or will be in a moment. */
  get active(): boolean {
    if (this.#state.kind === 'talking') return this.#phase !== 'ended';
    return this.#state.kind === 'starting';
  }

  get #talk(): ActiveTalk | undefined {
    return this.#state.kind === 'talking' ? this.#state.talk : undefined;
  }

  get #phase(): TalkView['state']['phase'] {
    return this.#publisher.view.state.phase;
  }

  async #start(
    mode: DuplexMode,
    before: ActiveTalk | undefined,
    earlier: CutTalk | undefined,
  ): Promise<Outcome<TalkInfo>> {
    if (this.#over) return closing;
    await this.#deps.acquireSound?.();
    const plan = await planTalk(mode, this.#deps);
    if (!plan.ok) return plan;
    const server = await this.#deps.connect(plan.value);
    if (!server.ok) return server;
    if (!this.#over) await this.#leave(before);
    // Parley may be closed while it waits, and nobody would end what begins then.
    if (this.#over) {
      await server.value.left?.();
      return closing;
    }
    const facts = { mode, endpoint: server.value.name };
    this.talkKey.forget();
    this.#publisher.publishBegan(facts);
    server.value.shown?.();
    for (const error of this.#deps.missingVoices?.() ?? []) this.#publisher.publishTrouble(error);
    if (earlier !== undefined) this.#publisher.publishEarlier({ captions: earlier.captions });
    if (this.#cut !== undefined) this.#deps.journal.dropLeft();
    this.#cut = undefined;
    const talk = openTalk(
      { ...plan.value, earlier: earlier?.captions.map(heardOf) },
      server.value,
      this.#deps.paces.of(server.value.address),
      this.#deps,
      this.#onEvent,
    );
    this.#joinFramePipeline(talk);
    this.#state = { kind: 'talking', talk };
    await this.#openDevices(talk);
    return { ok: true, value: facts };
  }

  /** A talk that has ended by now needs no devices. */
  async #openDevices({ devices, conversation }: ActiveTalk): Promise<void> {
    if (this.#phase !== 'ended') await devices.open(conversation);
  }

  #joinFramePipeline({ mode, conversation }: ActiveTalk): void {
    this.#leaveFramePipeline();
    if (mode !== 'video' || this.#phase === 'ended') return;
    this.#leaveFramePipeline = this.#deps.framePipeline.attach(conversation);
  }

  async #leave(talk: ActiveTalk | undefined): Promise<void> {
    if (talk === undefined) return;
    this.#leaveFramePipeline();
    await talk.conversation.close();
    await talk.devices.end();
    await talk.server.left?.();
  }

  readonly #onEvent = (
    event: ConversationEvent,
    { conversation, devices, server }: ActiveTalk,
  ): void => {
    this.#publisher.publish(event);
    if (event.event === 'talk' || event.event === 'caption') this.#deps.journal.changed(this.view);
    if (event.event === 'sent' && event.frames > 0) this.#deps.framePipeline.frameSent();
    this.#stats.publish(event, conversation);
    if (event.event !== 'talk' || event.state.phase !== 'ended') return;
    const { pace, playout } = conversation.stats();
    logTalkStats(this.#deps.log, conversation.latency(), {
      playout,
      microphone: devices.microphone.counters(),
      speaker: devices.speaker.counters(),
    });
    if (pace !== undefined) this.#deps.paces.learned(server.address, pace);
    // Without a talk the page is shown what would go.
    this.#leaveFramePipeline();
    void devices.closeWhenHeard();
  };
}

function heardOf({ text, heard, cutFrom }: CaptionedTurn) {
  return { text: text.slice(0, heard), cut: cutFrom !== undefined };
}

function stateWith(talk: ActiveTalk | undefined): ControllerState {
  return talk === undefined ? { kind: 'empty' } : { kind: 'talking', talk };
}

const done = { ok: true, value: undefined } as const;

const closing = failure('shuttingDown');
