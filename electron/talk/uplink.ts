import { appError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { TalkState } from '../../shared/talk/talk-view.ts';
import type { OnlyListening } from '../../shared/talk/talk-stats.ts';
import {
  BargeInDetector,
  type BargeInEvent,
  defaultBargeInOptions,
} from '../audio/detection/barge-in.ts';
import { VoiceDetector } from '../audio/detection/voice-detector.ts';
import { levelDb } from '../audio/dsp/loudness.ts';
import { joinSamples, SoundBlockQueue } from '../audio/dsp/samples.ts';
import { ListenOnlyDetector, forcedListenSteps } from './listen-only-detector.ts';
import type {
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
} from './conversation-options.ts';
import type { CurrentSession } from './current-session.ts';
import { isFromServer } from './policies/connection-liveness.ts';
import type { Delay } from './policies/latency-stats.ts';
import type { SessionEvent } from './session/session-event.ts';
import { TransmitControls } from './transmit-controls.ts';

/** While an answer plays, softer blocks are residual echo and not the user's speech. */
const minOverEchoDb = -46;

/** No server recognizes speech below this level. */
const minAudibleDb = -50;

interface Options extends Pick<ConversationOptions, 'talking' | 'muted' | 'chunkMs' | 'bargeIn'> {
  readonly settings: Pick<ConversationOptions['settings'], 'generation'>;
}
type Emitted = Extract<ConversationEvent, { event: 'error' | 'controls' | 'onlyListens' }>;

interface Deps {
  readonly clock: Clock;
  /** Gets transmitted sound, with silence for what the gate stops. */
  readonly session: Pick<CurrentSession, 'pushAudio' | 'missingSamples'>;
  readonly emit: (event: Emitted) => void;
  readonly tape?: ConversationDeps['tape'];
  readonly microphone: ConversationDeps['microphone'];
  readonly onDelay: (delay: Delay) => void;
  readonly transmitted?: ConversationDeps['onTransmitted'];
  readonly addComputerSound?: ConversationDeps['addComputerSound'];
  /** The user begins or stops speaking over the answer. */
  readonly onBargeIn: (event: BargeInEvent) => void;
  readonly onChange: () => void;
}

/** Passes microphone blocks through the transmit gate to the session, and watches them for barge-in. */
export class Uplink {
  readonly controls: TransmitControls;
  readonly #deps: Deps;
  readonly #voice = new VoiceDetector(inputRate);
  readonly #bargeIn: BargeInDetector;
  readonly #backlog: UplinkBacklog;
  readonly #listenOnly: ListenOnlyDetector;
  #phase: TalkState['phase'] = 'idle';
  #microphoneLost = false;
  /** Sound waits for the next session, which is about to take over. */
  #isBuffering = false;
  #blockArrivedAt: number | undefined;

  constructor(options: Options, deps: Deps) {
    this.#deps = deps;
    this.controls = new TransmitControls(options, {
      clock: deps.clock,
      latencyMs: deps.microphone && (() => deps.microphone?.latencyMs() ?? 0),
      onChange: (controls) => {
        deps.emit({ event: 'controls', controls });
        deps.onChange();
      },
    });
    this.#bargeIn = new BargeInDetector(options.bargeIn ?? defaultBargeInOptions);
    this.#listenOnly = new ListenOnlyDetector(forcedListenSteps(options.settings.generation));
    this.#backlog = new UplinkBacklog({
      ...deps,
      chunkMs: options.chunkMs,
      onSpeechLost: (seconds) =>
        deps.emit({ event: 'error', error: appError('speechLost', { seconds }), fatal: false }),
    });
  }

  /** The user speaks and the gate is open. */
  get isSpeaking(): boolean {
    return this.#voice.isSpeaking;
  }

  get unanswered(): OnlyListening {
    return this.#listenOnly.unanswered;
  }

  /** Takes every microphone block; the talk's state decides what happens to it. */
  pushAudio(block: Float32Array, answering: boolean): void {
    const { paused } = this.controls.view;
    const waits = this.#isBuffering || this.#phase === 'reconnecting';
    if (waits && !paused) this.#bufferBlock(block, answering);
    else if (this.#phase === 'live' && !paused) this.#send(block, answering);
    else this.#voice.reset();
    // Silence that replaces a lost microphone does not count. The phase is read after the block was
    // sent, because that may have ended the connection.
    this.controls.onBlock(this.#phase === 'live' && !paused && !this.#microphoneLost);
  }

  setMicrophoneLost(lost: boolean): void {
    this.#microphoneLost = lost;
    if (lost) this.controls.onBlock(false);
  }

  onSessionEvent(event: SessionEvent): void {
    // A replay makes no such report: the recorded talk has made it.
    const canReport = !this.#isMuted && this.#deps.tape?.plays !== true;
    const report = this.#listenOnly.onSessionEvent(event, canReport);
    if (report !== undefined) this.#deps.emit(report);
    if (event.event === 'sent') this.#onSent(event);
    else if (event.event === 'text' || event.event === 'audio') this.#backlog.onAnswer();
    else if (event.event === 'dropped') this.#backlog.onTaken(event.samples);
    else if (isFromServer(event)) this.#backlog.onServerEvent(this.#voice.isSpeaking);
  }

  onPhase(phase: TalkState['phase']): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#isBuffering &&= phase === 'live';
    if (phase === 'reconnecting') this.#backlog.onConnectionLost();
    else if (phase === 'ended') this.#backlog.clear();
    else this.#release();
  }

  /** Buffers sound for the next session, or releases the buffer to the current one. */
  setBuffering(buffering: boolean): void {
    this.#isBuffering = buffering;
    this.#release();
  }

  /** Call before the session pauses, and after it resumes. */
  setPaused(paused: boolean): void {
    this.controls.setPaused(paused);
    if (paused) this.#backlog.hold();
    else this.#release();
  }

  /** Another session takes over, which has not heard the unanswered speech. */
  onHandOver(): void {
    this.#backlog.prepareHandOver();
  }

  /** Takes sound of the answer as it is heard, because its echo is not the user. */
  onPlayed(samples: Float32Array): void {
    this.#bargeIn.played(samples, this.#deps.clock.now());
  }

  stop(): void {
    this.controls.stop();
  }

  /** Passes what waits to the session, if that takes sound. */
  #release(): void {
    const { paused } = this.controls.view;
    if (this.#phase === 'live' && !this.#isBuffering && !paused) this.#backlog.release();
  }

  #send(block: Float32Array, answering: boolean): void {
    const { clock, onBargeIn, microphone } = this.#deps;
    const voice = this.#likelihoodIn(block, answering);
    const { gate } = this.controls;
    const now = clock.now();
    this.#blockArrivedAt = now;
    for (const part of this.#passGate(block, answering)) {
      this.#voice.push(part, voice);
      this.#backlog.push(this.#addComputerSound(part), this.#voice.isSpeaking);
      if (!answering) this.#countSent(part);
    }
    if (gate.takeSpeechEnd()) this.#fillChunk();
    this.#blockArrivedAt = undefined;
    const event = this.#bargeIn.push(block, now, answering && gate.transmitting, {
      likelihood: microphone?.voiceLikelihood(),
      presence: microphone?.nearEndPresence(),
    });
    if (event !== undefined) onBargeIn(event);
  }

  /** The detector takes residual echo for a voice, so quiet blocks during an answer do not count as voice. */
  #likelihoodIn(block: Float32Array, answering: boolean): number | undefined {
    const { microphone } = this.#deps;
    const likelihood = microphone?.voiceLikelihood();
    if (likelihood === undefined || !answering || microphone?.hasEcho() !== true) return likelihood;
    return levelDb(block) < minOverEchoDb ? 0 : likelihood;
  }

  #countSent(part: Float32Array): void {
    if (this.#isMuted) return;
    const isVoice = this.#voice.isSpeaking && levelDb(part) >= minAudibleDb;
    this.#listenOnly.onSent(part.length / inputRate, isVoice);
  }

  get #isMuted(): boolean {
    const { muted, coughMuted, paused } = this.controls.view;
    return muted || coughMuted || paused;
  }

  /**
   * Completes the chunk with silence after the user's last word, so that the word is sent at once. The gate
   * later omits as much silence.
   */
  #fillChunk(): void {
    const missing = this.#backlog.isEmpty ? this.#deps.session.missingSamples() : 0;
    if (missing === 0) return;
    this.controls.gate.countSentAhead(missing);
    this.#backlog.push(new Float32Array(missing), this.#voice.isSpeaking);
  }

  /** Buffers a block until the next session is live. */
  #bufferBlock(block: Float32Array, answering: boolean): void {
    for (const part of this.#passGate(block, answering)) {
      this.#voice.push(part, this.#deps.microphone?.voiceLikelihood());
      this.#backlog.buffer(this.#addComputerSound(part), this.#voice.isSpeaking);
    }
  }

  /** Call after the voice detector, because voices in a film are not the user's. */
  #addComputerSound(part: Float32Array): Float32Array {
    return this.#deps.addComputerSound?.(part, this.#voice.isSpeaking) ?? part;
  }

  #passGate(block: Float32Array, answering: boolean): readonly Float32Array[] {
    const parts = this.controls.gate.push(block);
    const { transmitted, microphone } = this.#deps;
    if (transmitted !== undefined) {
      const [only] = parts;
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const samples = only?.length === length ? only : joinSamples(parts);
      transmitted(samples, !answering || this.#bargeIn.hearsUser, microphone?.voiceLikelihood());
    }
    return parts;
  }

  /** A chunk was sent; `waitedMs` is the delay by the cap on unanswered appends. */
  #onSent({ waitedMs = 0, samples }: Extract<SessionEvent, { event: 'sent' }>): void {
    this.#backlog.onTaken(samples);
    const { clock, microphone } = this.#deps;
    const now = clock.now();
    const ms = waitedMs + now - (this.#blockArrivedAt ?? now) + (microphone?.latencyMs() ?? 0);
    this.#deps.onDelay({ kind: 'micToWire', ms });
  }
}

interface UplinkBacklogDeps {
  readonly session: Pick<CurrentSession, 'pushAudio'>;
  readonly chunkMs: number;
  /** Reports the seconds of speech that were dropped while there was no connection. */
  readonly onSpeechLost: (seconds: number) => void;
}

/** Older speech no longer helps a conversation. */
const maxSeconds = 10;
/** In blocks of 20 ms, the block length of microphones. */
const maxUnanswered = maxSeconds * 50;
/** In blocks, 320 ms. A word begins before it is loud, and a voice is detected up to 90 ms later. */
const maxPreRoll = 16;
/** In blocks, 1.5 s. After this much silence a model knows that a question is over. */
const maxPause = 75;
/** Limit on the unsent chunks of a session. A session drops sound if it has too much. */
const maxUnsentChunks = 2;

/** Buffers speech on its way to the session. Speech that a dead connection may have lost is sent again to the next session. */
export class UplinkBacklog {
  readonly #deps: UplinkBacklogDeps;
  readonly #chunk: number;
  /** Sent since the server's last event; another session needs it if no question is unanswered. */
  readonly #unconfirmed = new SoundBlockQueue();
  /** Speech since the last answer, sent or waiting; a session that takes over needs all of it. */
  #unanswered: Float32Array[] = [];
  #hasQuestion = false;
  /** Blocks since the user last spoke. */
  #quietBlocks = 0;
  /** Sound for the next session, or sound that this one cannot take yet. */
  readonly #waiting = new SoundBlockQueue();
  #isBuffering = false;
  #spoke = false;
  #lostSamples = 0;
  /** Samples that were passed to the session, which has not sent or dropped them yet. */
  #unsent = 0;

  constructor(deps: UplinkBacklogDeps) {
    this.#deps = deps;
    this.#chunk = (deps.chunkMs * inputRate) / 1000;
  }

  /** Whether all earlier sound was passed to the session. */
  get isEmpty(): boolean {
    return this.#waiting.isEmpty;
  }

  push(part: Float32Array, speaks: boolean): void {
    this.#spoke ||= speaks;
    const copy = this.#remember(part, speaks);
    if (this.isEmpty) this.#send(copy);
    else {
      this.#enqueue(copy);
      this.#drain();
    }
  }

  /** Buffers a part, because there is no connection or the next session gets it. */
  buffer(part: Float32Array, speaks: boolean): void {
    this.#isBuffering = true;
    this.#spoke ||= speaks;
    this.#enqueue(this.#remember(part, speaks));
    if (this.#isLongPause) this.#waiting.dropBefore(maxPreRoll);
  }

  /** The server has received everything before the current chunk, except what the session has not sent. */
  onServerEvent(speaks: boolean): void {
    this.#unconfirmed.keepNewest(Math.max(this.#chunk, this.#unsent));
    if (!this.isEmpty) return;
    this.#spoke = speaks;
    // The model has heard the question, and does not answer it.
    if (this.#quietBlocks > maxUnanswered) this.#hasQuestion = false;
  }

  /** The session has sent or dropped this many samples. */
  onTaken(samples: number): void {
    this.#unsent = Math.max(0, this.#unsent - samples);
    this.#drain();
  }

  /** The model answers, so it has heard all sound that was sent before. */
  onAnswer(): void {
    const unheard = this.#countNewest(this.#unsent + this.#waiting.samples);
    this.#hasQuestion &&= this.#quietBlocks < unheard;
    // After the last detected word another one may have begun.
    const kept = this.#hasQuestion ? unheard : Math.min(maxPreRoll, this.#quietBlocks);
    this.#unanswered = this.#unanswered.slice(Math.max(0, this.#unanswered.length - kept));
  }

  /** Prepares unanswered speech for another session. */
  prepareHandOver(): void {
    this.#unconfirmed.set([]);
    this.#unsent = 0;
    this.#spoke = this.#hasQuestion;
    this.#waiting.set(this.#hasQuestion ? this.#unanswered : this.#unanswered.slice(-maxPreRoll));
  }

  /** The next session has heard nothing, so it gets the whole question, and not only what the server may have missed. */
  onConnectionLost(): void {
    const unconfirmed = [...this.#unconfirmed.parts, ...this.#waiting.parts];
    this.#unconfirmed.set([]);
    this.#unsent = 0;
    this.#spoke ||= this.#hasQuestion;
    this.#waiting.set(this.#hasQuestion ? this.#unanswered : unconfirmed);
    this.#waiting.keepNewest(maxSeconds * inputRate);
  }

  /** Keeps everything until `release`, also what the session has not sent, because a session that pauses discards that. */
  hold(): void {
    this.#isBuffering = true;
    const unsent = this.#unconfirmed.takeNewest(this.#unsent);
    this.#unsent = 0;
    this.#waiting.set([...unsent, ...this.#waiting.parts]);
  }

  /**
   * Sends the buffer to the session. Without speech only the newest 320 ms are sent, as more would
   * delay the talk.
   */
  release(): void {
    this.#isBuffering = false;
    // The session may get the question only now, and must have time to answer.
    this.#quietBlocks = Math.min(this.#quietBlocks, maxPause + maxPreRoll);
    const seconds = Math.ceil(this.#lostSamples / inputRate);
    this.#lostSamples = 0;
    if (!this.#spoke) this.#waiting.set(this.#waiting.parts.slice(-maxPreRoll));
    else if (seconds > 0) this.#deps.onSpeechLost(seconds);
    this.#drain();
  }

  clear(): void {
    this.#unconfirmed.set([]);
    this.#waiting.set([]);
    this.#isBuffering = false;
    this.#unanswered = [];
    this.#hasQuestion = false;
    this.#spoke = false;
    this.#lostSamples = 0;
    this.#unsent = 0;
  }

  /** After a question, a session needs only the start of a long pause, and the pre-roll of the user's next word. */
  get #isLongPause(): boolean {
    return this.#hasQuestion && this.#quietBlocks > maxPause + maxPreRoll;
  }

  /** How many of the newest unanswered blocks hold this many samples. */
  #countNewest(samples: number): number {
    let from = this.#unanswered.length;
    for (let held = 0; held < samples && from > 0;) {
      from -= 1;
      held += this.#unanswered[from]?.length ?? 0;
    }
    return this.#unanswered.length - from;
  }

  /** Stores a copy of the part and returns it. */
  #remember(part: Float32Array, speaks: boolean): Float32Array {
    const copy = part.slice();
    this.#hasQuestion ||= speaks;
    this.#quietBlocks = speaks ? 0 : this.#quietBlocks + 1;
    this.#unanswered.push(copy);
    if (this.#isLongPause) this.#unanswered.splice(-maxPreRoll - 1, 1);
    const max = this.#hasQuestion ? maxUnanswered : maxPreRoll;
    // Trimmed in batches, to avoid moving the array for every block.
    if (this.#unanswered.length > 2 * max)
      this.#unanswered.splice(0, this.#unanswered.length - max);
    return copy;
  }

  #enqueue(part: Float32Array): void {
    this.#waiting.add(part);
    this.#lostSamples += this.#waiting.keepNewest(maxSeconds * inputRate);
  }

  #drain(): void {
    while (!this.#isBuffering && this.#unsent < maxUnsentChunks * this.#chunk) {
      const next = this.#waiting.takeFirst();
      if (next === undefined) return;
      this.#send(next);
    }
  }

  #send(part: Float32Array): void {
    this.#unsent += part.length;
    this.#unconfirmed.add(part);
    this.#unconfirmed.keepNewest(maxSeconds * inputRate);
    this.#deps.session.pushAudio(part);
  }
}
