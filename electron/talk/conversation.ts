import type { HandOverStep } from '../../shared/recordings/tape-event.ts';
import type {
  ComputerSoundState,
  ToolResult,
  DeviceRole,
  DeviceState,
  TalkDeviceStates,
  TalkState,
} from '../../shared/talk/talk-view.ts';
import type { LatencySummary } from '../../shared/talk/talk-stats.ts';
import type { AudioSink } from '../audio/capture/microphone.ts';
import type { BargeInEvent } from '../audio/detection/barge-in.ts';
import type { DeviceEvent } from '../audio/devices/stream-supervisor.ts';
import { FrameRateLimiter } from '../vision/frame-budget.ts';
import { AnswerPlayout } from './answer-playout.ts';
import type {
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
  ConversationStats,
  RecordTalk,
} from './conversation-options.ts';
import { ConversationMonitor } from './conversation-monitor.ts';
import { CurrentSession } from './current-session.ts';
import { FloorTracker } from './floor-tracker.ts';
import { HandOver } from './hand-over.ts';
import { refusedField } from './policies/refused-field.ts';
import type { SessionEvent } from './session/session-event.ts';
import { TalkLifecycle } from './talk-lifecycle.ts';
import type { TransmitControls } from './transmit-controls.ts';
import { Uplink } from './uplink.ts';

/** The next session's start must be this fast for an early hand-over, because microphone sound waits meanwhile. */
const maxEarlyStartMs = 1000;

/**
 * A spoken conversation over all its sessions. Connects its parts: each of them decides, and this class passes events between
 * them.
 */
export class Conversation implements AudioSink {
  /** Length of the microphone sound in one append. */
  readonly chunkMs: number;
  readonly #options: ConversationOptions;
  readonly #deps: ConversationDeps;
  readonly #session: CurrentSession;
  readonly #answer: AnswerPlayout;
  readonly #monitor: ConversationMonitor;
  readonly #uplink: Uplink;
  readonly #lifecycle: TalkLifecycle;
  readonly #floor: FloorTracker;
  readonly #handOver: HandOver;
  readonly #frameRate = new FrameRateLimiter();
  #devices = noDeviceStates;
  /** The server has answered, so it accepted the configuration: a later end has another cause. */
  #answered = false;
  #closing: Promise<void> | undefined;
  #onEnded: (() => void) | undefined;
  #over = false;

  constructor(options: ConversationOptions, deps: ConversationDeps) {
    this.#options = options;
    this.#deps = deps;
    this.chunkMs = options.chunkMs;
    const { clock, speaker, microphone, tape } = deps;
    this.#monitor = new ConversationMonitor(options, {
      clock,
      random: deps.random,
      wallNow: deps.wallNow,
      log: deps.log,
      shorten: deps.shorten,
      memory: deps.memory,
      emit: this.#emitMonitored,
      onConnectionDead: () => this.#lifecycle.onConnectionDead(),
      onQuietChange: (quiet) => this.#lifecycle.setQuiet(quiet),
    });
    this.#answer = new AnswerPlayout({
      clock,
      speaker,
      onCue: deps.onCue,
      tape,
      jitter: { stepMs: options.chunkMs, pace: options.pace, answerStart: () => options.answers },
      onGap: (ms) => this.#monitor.latency.addGap(ms),
      onPlayed: (samples) => {
        this.#uplink.onPlayed(samples);
        deps.onPlayed?.(samples);
      },
      onCaption: (patch, isInterruption) => this.#emit({ event: 'caption', patch, isInterruption }),
      onTurnHeard: (turn) => {
        this.#monitor.onTurnHeard(turn);
        this.#handOver.onTurnHeard();
        this.#emit({ event: 'turnHeard', ...turn });
      },
      onDelay: this.#monitor.onDelay,
      onChange: this.#update,
    });
    this.#session = new CurrentSession(options, deps.openSession, this.#onSessionEvent, deps.tools);
    this.#uplink = new Uplink(options, {
      clock,
      microphone,
      tape,
      transmitted: deps.onTransmitted,
      addComputerSound: deps.addComputerSound,
      session: this.#session,
      emit: this.#emit,
      onDelay: this.#monitor.onDelay,
      onBargeIn: this.onBargeIn,
      onChange: this.#update,
    });
    this.#floor = new FloorTracker({
      answer: this.#answer,
      uplink: this.#uplink,
      emit: this.#emit,
    });
    this.#handOver = new HandOver({
      clock,
      session: this.#session,
      monitor: this.#monitor,
      answer: this.#answer,
      uplink: this.#uplink,
      floor: this.#floor,
      emit: this.#emit,
      onTakeoverBeforeLive: (events) => {
        this.#lifecycle.onTakeoverBeforeLive();
        for (const event of events) this.#onSessionEvent(event);
      },
      tape,
    });
    this.#emit({ event: 'controls', controls: this.controls.view });
    this.#lifecycle = new TalkLifecycle({
      clock,
      monitor: this.#monitor,
      session: this.#session,
      heardSoFar: () => this.#answer.heardSoFar,
      onChange: (state) => {
        if (state.phase === 'ended') this.#answer.finish();
        if (state.phase !== 'live') this.#uplink.controls.onBlock(false);
        this.#emit({ event: 'talk', state });
        const devices = deviceStatesIn(this.#devices, state.phase);
        if (devices !== this.#devices) this.#setDevices(devices);
        this.#uplink.onPhase(state.phase);
        this.#handOver.setLive(state.phase === 'live');
        this.#update();
        if (state.phase === 'ended') this.#onEnded?.();
      },
      onSessionClosed: (event) => {
        this.#floor.onSessionEnd();
        this.#emit(event);
        if (event.by === 'client') this.#answer.silenceAtEnd();
        else this.#answer.abandon();
      },
    });
    this.#lifecycle.start(this.#monitor.instructions([]));
  }

  get controls(): Omit<TransmitControls, 'gate' | 'setPaused' | 'stop'> {
    return this.#uplink.controls;
  }

  /** Takes every block of the microphone, 16 kHz mono; the transmit gate is inside. */
  pushAudio(block: Float32Array): void {
    if (this.#over) return;
    this.#monitor.poll();
    this.#uplink.pushAudio(block, this.#answer.isSounding);
    this.#update();
  }

  /** Queues a JPEG for the next append. `undefined` withdraws it. */
  pushFrame(frame: Uint8Array | undefined): void {
    const { clock, minPauseMs } = this.#deps;
    if (frame !== undefined && minPauseMs !== undefined) {
      if (!this.#frameRate.accepts(clock.now(), 0, minPauseMs())) return;
    }
    this.#session.pushFrame(frame);
  }

  /** Applies from the next append. */
  setMaxSlices(slices: number): void {
    this.#session.setMaxSlices(slices);
  }

  /** Silences the answer now; the model is then made to listen. */
  interrupt(): void {
    this.#deps.tape?.write?.({ kind: 'interrupt' });
    if (this.#lifecycle.phase === 'live') this.#answer.interrupt();
    else this.#answer.silenceForUser();
    this.#session.interrupt();
  }

  /** While the talk is paused, Parley sends nothing. An answer that has arrived plays to its end. */
  setPaused(paused: boolean): void {
    if (paused) this.#uplink.setPaused(true);
    this.#session.setPaused(paused);
    if (!paused) this.#uplink.setPaused(false);
  }

  /** Opens a new session after the end, with the same settings. Without the transcript, the last answer falls silent. */
  continueTalk(carry: 'transcript' | 'nothing'): void {
    this.#deps.tape?.write?.({ kind: 'continue', carry });
    if (this.#lifecycle.phase !== 'ended' || this.#closing !== undefined) return;
    if (carry === 'nothing') this.#answer.silenceAtEnd();
    // The user may have left since the end, so the microphone waits for the key.
    this.controls.unlatch();
    this.#lifecycle.continueTalk(carry);
  }

  /**
   * Stores a tool's result for the next session. That session follows in the next pause, if sessions of this server start
   * fast and the transcript fits. `sessionStartMs` is how long the chat session for this result took to start.
   */
  addResult(result: ToolResult, sessionStartMs: number | undefined): void {
    this.#monitor.addResult(result);
    this.#handOver.onTurnHeard();
    const { handsOver, mode } = this.#options;
    const isFast = sessionStartMs !== undefined && sessionStartMs <= maxEarlyStartMs;
    // Video talks do not change sessions early, because the next session would not know the pictures.
    if (handsOver === true && mode === 'audio' && isFast && this.#monitor.keepsWholeTranscript)
      this.#handOver.requestEarly();
  }

  /** Sends the result of a call that the current session's model made. */
  answerCall(call: string, text: string): void {
    this.#session.answerCall(call, text);
  }

  /** Whether part of the answer is still to be heard. */
  isSounding(): boolean {
    return this.#answer.isSounding;
  }

  onSystemWake(): void {
    this.#deps.tape?.write?.({ kind: 'wake' });
    this.#monitor.onSystemWake();
  }

  /** The network is back: a pending retry runs now. */
  onNetworkBack(): void {
    this.#deps.tape?.write?.({ kind: 'networkBack' });
    this.#lifecycle.onNetworkBack();
  }

  onDeviceEvent(role: DeviceRole, event: DeviceEvent): void {
    this.#setDevices({ ...this.#devices, [role]: deviceStateAfter(event) });
  }

  /** Silences the answer and ends politely; the talk can continue afterwards. */
  end(): void {
    this.#deps.tape?.write?.({ kind: 'end' });
    this.#end();
  }

  /** Ends the conversation and releases everything; it emits nothing afterwards. */
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

  /** Repeats a hand-over step from a tape. */
  handOver(step: HandOverStep): void {
    this.#handOver.execute(step);
  }

  readonly onComputerSound = (state: ComputerSoundState): void =>
    this.#emit({ event: 'computerSound', state });

  /** The user begins or stops speaking over the answer. */
  readonly onBargeIn = (event: BargeInEvent): void => {
    this.#deps.tape?.write?.({ kind: 'bargeIn', does: event });
    this.#floor.onBargeIn(event);
  };

  #end(): void {
    if (this.#lifecycle.phase === 'ended') return;
    this.#answer.silenceAtEnd();
    this.#lifecycle.end();
  }

  /** Passes an event of the current session to the parts and then to the listener. */
  readonly #onSessionEvent = (event: SessionEvent): void => {
    this.#monitor.onSessionEvent(event);
    this.#uplink.onSessionEvent(event);
    this.#floor.onSessionEvent(event);
    switch (event.event) {
      case 'state':
        this.#emit(event);
        if (event.state === 'live') this.#answer.begin();
        return this.#lifecycle.onSessionPhase(event.state);
      case 'queue':
        this.#emit(event);
        return this.#lifecycle.onQueueUpdate(event);
      case 'text':
        this.#answered = true;
        this.#emit(event);
        return this.#answer.addText(event.turn, event.text);
      case 'audio':
        this.#answered = true;
        this.#answer.addAudio(event.turn, event.audio);
        return this.#emit(event);
      case 'turnEnded':
        this.#emit(event);
        return this.#answer.onTurnEnd(event.turn);
      case 'listen':
        return this.#emit({
          ...event,
          flushedSamples: event.yields ? this.#answer.onModelYielded() : 0,
        });
      case 'closed': {
        if (this.#handOver.onEnded()) break;
        const refused = !this.#answered && refusedField(event, this.#options.settings.generation);
        this.#lifecycle.onSessionClosed({ ...event, ...refused });
        break;
      }
      case 'session':
      case 'sent':
      case 'dropped':
      case 'done':
      case 'metrics':
      case 'error':
      case 'toolCall':
      case 'unknown':
        this.#emit(event);
    }
  };

  #setDevices(devices: TalkDeviceStates): void {
    this.#devices = devices;
    this.#uplink.setMicrophoneLost(devices.microphone.kind === 'lost');
    this.#emit({ event: 'devices', devices });
  }

  readonly #update = (): void => {
    this.#floor.update();
    if (this.#options.handsOver === true && this.#deps.tape?.plays !== true)
      this.#handOver.update();
  };

  /** Suppresses limit warnings while a hand-over is expected. */
  readonly #emitMonitored = (event: ConversationEvent): void => {
    if (event.event === 'limits') this.#handOver.onLimits(event.limits);
    const isLimitWarning = event.event === 'warning' && this.#options.handsOver === true;
    if (!isLimitWarning || !this.#handOver.isExpected) this.#emit(event);
  };

  readonly #emit = (event: ConversationEvent): void => {
    if (!this.#over) this.#deps.emit(event);
  };
}

/** Opens a conversation; the hosts share this function and the dependencies it fills in. */
export type OpenConversation = (
  options: ConversationOptions,
  deps: Pick<
    ConversationDeps,
    | 'openSession'
    | 'speaker'
    | 'microphone'
    | 'onPlayed'
    | 'onTransmitted'
    | 'addComputerSound'
    | 'onCue'
    | 'shorten'
    | 'memory'
    | 'tools'
    | 'minPauseMs'
    | 'emit'
  > & { readonly record?: RecordTalk | undefined },
) => Conversation;

const noDeviceStates: TalkDeviceStates = {
  microphone: { kind: 'unknown' },
  speaker: { kind: 'unknown' },
};

/** The microphone is closed in these phases, so its state is unknown. */
function deviceStatesIn(devices: TalkDeviceStates, phase: TalkState['phase']): TalkDeviceStates {
  const closed = phase === 'connecting' || phase === 'queued';
  return closed && devices.microphone.kind !== 'unknown'
    ? { ...devices, microphone: noDeviceStates.microphone }
    : devices;
}

function deviceStateAfter(event: DeviceEvent): DeviceState {
  if (event.kind !== 'moved') return event;
  return { kind: 'standsIn', device: event.device, missing: event.from };
}
