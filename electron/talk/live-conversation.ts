import type { GenerationOptions } from '../../shared/protocol/client-event.ts';
import type { HandOverStep } from '../../shared/recordings/tape-event.ts';
import type {
  DeviceRole,
  DeviceState,
  TalkDeviceStates,
  TalkState,
} from '../../shared/talk/talk-state.ts';
import type { LatencySummary } from '../../shared/talk/talk-stats.ts';
import type { AudioSink } from '../audio/capture/capture-pipeline.ts';
import type { BargeInEvent } from '../audio/detection/barge-in.ts';
import type { DeviceEvent } from '../audio/devices/stream-supervisor.ts';
import { AnswerPlayout } from './answer-playout.ts';
import { ConversationMonitor } from './conversation-monitor.ts';
import type {
  Conversation,
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
  ConversationStats,
} from './conversation.ts';
import { CurrentSession } from './current-session.ts';
import { FloorTracker } from './floor-tracker.ts';
import { HandOver } from './hand-over.ts';
import { refusedField } from './policies/ending-verdict.ts';
import type { TransmitControls } from './push-to-talk.ts';
import type { SessionEvent } from './session/session-event.ts';
import { TalkLifecycle } from './talk-lifecycle.ts';
import { UplinkPath } from './uplink-path.ts';

type Closed = Extract<SessionEvent, { event: 'closed' }>;

/** Joins the parts of a conversation; what each of them decides, it decides by itself. */
export class LiveConversation implements Conversation, AudioSink {
  readonly chunkMs: number;
  readonly #session: CurrentSession;
  readonly #deps: ConversationDeps;
  readonly #answer: AnswerPlayout;
  readonly #monitor: ConversationMonitor;
  readonly #uplink: UplinkPath;
  readonly #lifecycle: TalkLifecycle;
  readonly #floor: FloorTracker;
  readonly #handOver: HandOver;
  readonly #handsOver: boolean;
  readonly #judges: boolean;
  readonly #hearSession: (event: SessionEvent) => void;
  #devices = noDeviceStates;
  #closing: Promise<void> | undefined;
  #onEnded: (() => void) | undefined;
  #over = false;

  constructor(options: ConversationOptions, deps: ConversationDeps) {
    this.#deps = deps;
    this.chunkMs = options.chunkMs;
    this.#handsOver = options.handsOver ?? false;
    this.#judges = this.#handsOver && deps.tape?.plays !== true;
    this.#monitor = new ConversationMonitor(options, {
      ...deps,
      emit: (event) => {
        if (event.event === 'limits') this.#handOver.onLimits(event.left);
        const concernsNobody = event.event === 'warning' && this.#handsOver;
        if (!concernsNobody || !this.#handOver.isExpected) this.#emit(event);
      },
      lifecycle: () => this.#lifecycle,
    });
    this.#answer = new AnswerPlayout({
      ...deps,
      jitter: { stepMs: options.chunkMs, pace: options.pace, starts: () => options.answers },
      gap: (ms) => {
        this.#monitor.latency.addGap(ms);
      },
      played: (samples) => {
        this.#uplink.played(samples);
        deps.played?.(samples);
      },
      caption: (patch) => {
        this.#emit({ event: 'caption', patch });
      },
      turnHeard: (turn) => {
        this.#monitor.turnHeard(turn);
        this.#handOver.turnHeard();
        this.#emit({ event: 'turnHeard', ...turn });
      },
      delay: this.#monitor.measured,
      changed: this.#update,
    });
    this.#session = new CurrentSession(options, deps.openSession, (event) => {
      this.#hearSession(event);
    });
    this.#uplink = new UplinkPath(options, {
      ...deps,
      session: this.#session,
      emit: this.#emit,
      delay: this.#monitor.measured,
      onBargeIn: this.onBargeIn,
      changed: this.#update,
    });
    this.#floor = new FloorTracker({
      answer: this.#answer,
      uplink: this.#uplink,
      emit: this.#emit,
    });
    this.#handOver = new HandOver({
      clock: deps.clock,
      session: this.#session,
      monitor: this.#monitor,
      answer: this.#answer,
      uplink: this.#uplink,
      floor: this.#floor,
      emit: this.#emit,
      bridged: (events) => {
        this.#lifecycle.onBridged();
        for (const event of events) this.#hearSession(event);
      },
      step: deps.tape?.handOver,
    });
    this.#emit({ event: 'controls', controls: this.controls.view });
    this.#lifecycle = new TalkLifecycle({
      clock: deps.clock,
      monitor: this.#monitor,
      session: this.#session,
      heardSoFar: () => this.#answer.heardSoFar,
      changed: (state) => {
        if (state.phase === 'ended') this.#answer.finish();
        if (state.phase !== 'live') this.controls.captured(false);
        this.#emit({ event: 'talk', state });
        const devices = deviceStatesIn(this.#devices, state.phase);
        if (devices !== this.#devices) this.#setDevices(devices);
        this.#uplink.entered(state.phase);
        this.#handOver.setLive(state.phase === 'live');
        this.#update();
        if (state.phase === 'ended') this.#onEnded?.();
      },
      sessionEnded: this.#sessionEnded,
    });
    this.#hearSession = sessionEventRouter({
      monitor: this.#monitor,
      uplink: this.#uplink,
      floor: this.#floor,
      answer: this.#answer,
      lifecycle: this.#lifecycle,
      handOver: this.#handOver,
      emit: this.#emit,
      generation: options.settings.generation,
    });
    this.#lifecycle.start(this.#monitor.instructions([]));
  }

  get controls(): TransmitControls {
    return this.#uplink.controls;
  }

  pushAudio(block: Float32Array): void {
    if (this.#over) return;
    this.#monitor.poll();
    this.#uplink.pushAudio(block, this.#answer.sounding);
    this.#update();
  }

  pushFrame(frame: Uint8Array | undefined): void {
    this.#session.pushFrame(frame);
  }

  setMaxSlices(slices: number): void {
    this.#session.setMaxSlices(slices);
  }

  interrupt(): void {
    if (this.#lifecycle.phase === 'live') this.#answer.interrupt();
    else this.#answer.silence(true);
    this.#session.interrupt();
  }

  setPaused(paused: boolean): void {
    this.controls.setPaused(paused);
    this.#session.setPaused(paused);
  }

  continueTalk(carry: 'transcript' | 'nothing'): void {
    if (this.#lifecycle.phase === 'ended' && this.#closing === undefined)
      this.#lifecycle.continueTalk(carry);
  }

  sounding(): boolean {
    return this.#answer.sounding;
  }

  onSystemWake(): void {
    this.#monitor.onSystemWake();
  }

  onNetworkBack(): void {
    this.#lifecycle.onNetworkBack();
  }

  onDeviceEvent(role: DeviceRole, event: DeviceEvent): void {
    this.#setDevices(deviceStatesAfter(this.#devices, role, event));
  }

  end(): void {
    if (this.#lifecycle.phase === 'ended') return;
    this.#answer.silenceAtEnd();
    this.#lifecycle.end();
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#onEnded = () => {
        this.#over = true;
        this.#answer.silenceAtEnd();
        this.#answer.stop();
        this.#uplink.stop();
        this.#monitor.stop();
        resolve();
      };
      if (this.#lifecycle.phase === 'ended') this.#onEnded();
      else this.end();
    });
    return this.#closing;
  }

  stats(): ConversationStats {
    return { ...this.#answer.stats, unanswered: this.#uplink.unanswered };
  }

  latency(): LatencySummary {
    return this.#monitor.latency.summary();
  }

  /** A step of it that stands on a tape. */
  handOver(step: HandOverStep): void {
    this.#handOver.do(step);
  }

  /** Somebody speaks over the answer, or no longer does. */
  readonly onBargeIn = (event: BargeInEvent): void => {
    this.#deps.tape?.bargeIn?.(event);
    this.#floor.onBargeIn(event);
  };

  #setDevices(devices: TalkDeviceStates): void {
    this.#devices = devices;
    this.#uplink.setMicrophoneLost(devices.microphone.kind === 'lost');
    this.#emit({ event: 'devices', devices });
  }

  readonly #sessionEnded = (event: Closed): void => {
    this.#floor.sessionEnded();
    this.#emit(event);
    if (event.by === 'client') this.#answer.silenceAtEnd();
    else this.#answer.abandon();
  };

  readonly #update = (): void => {
    this.#floor.update();
    if (this.#judges) this.#handOver.update();
  };

  readonly #emit = (event: ConversationEvent): void => {
    if (!this.#over) this.#deps.emit(event);
  };
}

interface Parts {
  readonly monitor: Pick<ConversationMonitor, 'onSessionEvent'>;
  readonly uplink: Pick<UplinkPath, 'onSessionEvent'>;
  readonly floor: Pick<FloorTracker, 'onSessionEvent'>;
  readonly answer: Pick<AnswerPlayout, 'begin' | 'text' | 'audio' | 'turnEnded' | 'yielded'>;
  readonly lifecycle: Pick<TalkLifecycle, 'entered' | 'queued' | 'ended'>;
  readonly handOver: Pick<HandOver, 'onEnded'>;
  readonly emit: (event: ConversationEvent) => void;
  /** What the sessions are configured with. */
  readonly generation: GenerationOptions | undefined;
}

/** Brings what the present session emits to the parts that it concerns, and passes it on. */
function sessionEventRouter({
  monitor,
  uplink,
  floor,
  answer,
  lifecycle,
  handOver,
  emit,
  generation,
}: Parts): (event: SessionEvent) => void {
  /** Who has answered has taken the configuration, which is that of all sessions: what ends one then is something else. */
  let answered = false;
  return (event) => {
    monitor.onSessionEvent(event);
    uplink.onSessionEvent(event);
    floor.onSessionEvent(event);
    switch (event.event) {
      case 'state':
        emit(event);
        if (event.state === 'live') answer.begin();
        lifecycle.entered(event.state);
        break;
      case 'queue':
        emit(event);
        lifecycle.queued(event);
        break;
      case 'text':
        answered = true;
        emit(event);
        answer.text(event.turn, event.text);
        break;
      case 'audio':
        answered = true;
        answer.audio(event.turn, event.audio);
        emit(event);
        break;
      case 'turnEnded':
        emit(event);
        answer.turnEnded(event.turn);
        break;
      case 'listen':
        emit({ ...event, flushedSamples: event.yields ? answer.yielded() : 0 });
        break;
      case 'closed':
        if (handOver.onEnded()) break;
        lifecycle.ended(answered ? event : { ...event, ...refusedField(event, generation) });
        break;
      case 'session':
      case 'sent':
      case 'dropped':
      case 'done':
      case 'metrics':
      case 'error':
      case 'unknown':
        emit(event);
    }
  };
}

/** Before anything is known of the microphone and the speaker. */
const noDeviceStates: TalkDeviceStates = {
  microphone: { kind: 'unknown' },
  speaker: { kind: 'unknown' },
};

/** The devices of a talk after an event of one of them. */
function deviceStatesAfter(
  devices: TalkDeviceStates,
  role: DeviceRole,
  event: DeviceEvent,
): TalkDeviceStates {
  return { ...devices, [role]: stateOf(event) };
}

/** In these phases no microphone is open: nothing is known of it until it is. */
function deviceStatesIn(devices: TalkDeviceStates, phase: TalkState['phase']): TalkDeviceStates {
  const closed = phase === 'connecting' || phase === 'queued';
  return closed && devices.microphone.kind !== 'unknown'
    ? { ...devices, microphone: noDeviceStates.microphone }
    : devices;
}

function stateOf(event: DeviceEvent): DeviceState {
  switch (event.kind) {
    case 'using':
      return { kind: 'using', device: event.device };
    case 'moved':
      return { kind: 'standsIn', device: event.device, missing: event.from };
    case 'lost':
      return { kind: 'lost', error: event.error };
  }
}
