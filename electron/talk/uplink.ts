import { appError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import type { OnlyListening } from '../../shared/talk/talk-stats.ts';
import {
  BargeInDetector,
  type BargeInEvent,
  defaultBargeInOptions,
} from '../audio/detection/barge-in.ts';
import { VoiceDetector } from '../audio/detection/voice-detector.ts';
import { levelDb } from '../audio/dsp/loudness.ts';
import { joinSamples } from '../audio/dsp/samples.ts';
import { AnswerWatch, forcedStepsOf } from './answer-watch.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { ConversationDeps, ConversationOptions } from './conversation-options.ts';
import type { CurrentSession } from './current-session.ts';
import { NewestSound } from './newest-sound.ts';
import { isFromServer } from './policies/connection-liveness.ts';
import type { Delay } from './policies/latency-stats.ts';
import type { SessionEvent } from './session/session-event.ts';
import { TransmitControls } from './transmit-controls.ts';

/** Who speaks over an answer, and beside its echo, is louder than this. */
const leastOverEchoDb = -46;

/** Of what is softer no server can make out a word. */
const leastHeardDb = -50;

interface Options extends Pick<ConversationOptions, 'talking' | 'muted' | 'chunkMs' | 'bargeIn'> {
  readonly settings: Pick<ConversationOptions['settings'], 'generation'>;
}
type Emitted = Extract<ConversationEvent, { event: 'error' | 'controls' | 'onlyListens' }>;

interface Deps {
  readonly clock: Clock;
  /** Gets what the gate lets through, or the silence for it. */
  readonly session: Pick<CurrentSession, 'pushAudio' | 'untilChunk'>;
  readonly emit: (event: Emitted) => void;
  readonly tape?: ConversationDeps['tape'];
  readonly microphone: ConversationDeps['microphone'];
  readonly delay: (delay: Delay) => void;
  readonly said?: ConversationDeps['said'];
  /** The person speaks over the answer, or no longer does. */
  readonly onBargeIn: (event: BargeInEvent) => void;
  /** After the controls have. */
  readonly changed: () => void;
}

/** The uplink of a conversation: microphone blocks through gate and barge-in detector to the session. */
export class UplinkPath {
  readonly controls: TransmitControls;
  readonly #deps: Deps;
  readonly #voice = new VoiceDetector(inputRate);
  readonly #bargeIn: BargeInDetector;
  readonly #backlog: UplinkBacklog;
  readonly #answers: AnswerWatch;
  #phase: TalkState['phase'] = 'idle';
  #microphoneLost = false;
  /** A session that is to take over will have it. */
  #held = false;
  /** When the block came that is being handed on. */
  #since: number | undefined;

  constructor(options: Options, deps: Deps) {
    this.#deps = deps;
    this.controls = new TransmitControls(options, {
      clock: deps.clock,
      latencyMs: deps.microphone && (() => deps.microphone?.latencyMs() ?? 0),
      changed: (controls) => {
        deps.emit({ event: 'controls', controls });
        deps.changed();
      },
    });
    this.#bargeIn = new BargeInDetector(options.bargeIn ?? defaultBargeInOptions);
    this.#answers = new AnswerWatch(forcedStepsOf(options.settings.generation));
    this.#backlog = new UplinkBacklog({
      ...deps,
      chunkMs: options.chunkMs,
      lost: (seconds) =>
        deps.emit({ event: 'error', error: appError('speechLost', { seconds }), fatal: false }),
    });
  }

  /** The person speaks, and the model hears it. */
  get speaks(): boolean {
    return this.#voice.speaks;
  }

  get unanswered(): OnlyListening {
    return this.#answers.unanswered;
  }

  /** The microphone's blocks, always: what becomes of them depends on where the talk stands. */
  pushAudio(block: Float32Array, answering: boolean): void {
    const { paused } = this.controls.view;
    const held = this.#held || this.#phase === 'reconnecting';
    if (held && !paused) this.#hold(block, answering);
    else if (this.#phase === 'live' && !paused) this.#send(block, answering);
    // Nothing is sent for the time being.
    else this.#voice.stop();
    // While a microphone is lost, silence stands in for it. The line may have gone with this very block.
    this.controls.captured(this.#phase === 'live' && !paused && !this.#microphoneLost);
  }

  setMicrophoneLost(lost: boolean): void {
    this.#microphoneLost = lost;
    if (lost) this.controls.captured(false);
  }

  onSessionEvent(event: SessionEvent): void {
    // What a tape shows was said when it was made.
    const tells = !this.#isMuted && this.#deps.tape?.plays !== true;
    const found = this.#answers.onSessionEvent(event, tells);
    if (found !== undefined) this.#deps.emit(found);
    if (event.event === 'sent') this.#sent(event);
    else if (event.event === 'text' || event.event === 'audio') this.#backlog.answered();
    else if (event.event === 'dropped') this.#backlog.taken(event.samples);
    else if (isFromServer(event)) this.#backlog.heardServer(this.#voice.speaks);
  }

  /** Where the talk stands now. */
  entered(phase: TalkState['phase']): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#held &&= phase === 'live';
    if (phase === 'reconnecting') this.#backlog.lineLost();
    else if (phase === 'live') this.#backlog.released();
    else if (phase === 'ended') this.#backlog.clear();
  }

  /** Kept back for the next session, or free to go to whichever there is now. */
  setHeld(held: boolean): void {
    this.#held = held;
    if (!held) this.#backlog.released();
  }

  /** Another session has the talk, which has heard nothing of what was not answered yet. */
  handedOver(): void {
    this.#backlog.handOver();
  }

  /** What is heard of the answer now: its echo is not the person. */
  played(samples: Float32Array): void {
    this.#bargeIn.played(samples, this.#deps.clock.now());
  }

  stop(): void {
    this.controls.stop();
  }

  #send(block: Float32Array, answering: boolean): void {
    const { clock, onBargeIn, microphone } = this.#deps;
    const voice = this.#likelihoodIn(block, answering);
    const { gate } = this.controls;
    const now = clock.now();
    this.#since = now;
    for (const part of this.#gated(block, answering)) {
      this.#voice.push(part, voice);
      this.#backlog.push(part, this.#voice.speaks);
      if (!answering) this.#countSent(part);
    }
    if (gate.takeEnd()) this.#fillChunk();
    this.#since = undefined;
    const event = this.#bargeIn.push(block, now, answering && gate.transmitting, {
      likelihood: voice,
      echo: microphone?.hasEcho(),
      somebody: microphone?.hearsSomebody(),
    });
    if (event !== undefined) onBargeIn(event);
  }

  /** What is left of an answer's echo sounds like a voice, too, however soft it is. */
  #likelihoodIn(block: Float32Array, answering: boolean): number | undefined {
    const { microphone } = this.#deps;
    const likelihood = microphone?.voice();
    if (likelihood === undefined || !answering || microphone?.hasEcho() !== true) return likelihood;
    return levelDb(block) < leastOverEchoDb ? 0 : likelihood;
  }

  #countSent(part: Float32Array): void {
    if (this.#isMuted) return;
    const isVoice = this.#voice.speaks && levelDb(part) >= leastHeardDb;
    this.#answers.sent(part.length / inputRate, isVoice);
  }

  get #isMuted(): boolean {
    const { muted, coughMuted, paused } = this.controls.view;
    return muted || coughMuted || paused;
  }

  /** The last word does not wait for the silence that its chunk lacks: it comes at once, and is left out later. */
  #fillChunk(): void {
    const missing = this.#backlog.isEmpty ? this.#deps.session.untilChunk() : 0;
    if (missing === 0) return;
    this.controls.gate.filled(missing);
    this.#backlog.push(new Float32Array(missing), this.#voice.speaks);
  }

  /** The line is dead, and another one is being fetched: what is said meanwhile goes there. */
  #hold(block: Float32Array, answering: boolean): void {
    for (const part of this.#gated(block, answering)) {
      this.#voice.push(part, this.#deps.microphone?.voice());
      this.#backlog.hold(part, this.#voice.speaks);
    }
  }

  #gated(block: Float32Array, answering: boolean): readonly Float32Array[] {
    const parts = this.controls.gate.push(block);
    const { said, microphone } = this.#deps;
    if (said !== undefined) {
      const [only] = parts;
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const samples = only?.length === length ? only : joinSamples(parts);
      said(samples, !answering || this.#bargeIn.hearsPerson, microphone?.voice());
    }
    return parts;
  }

  /** A chunk has gone out, perhaps after it was held back. */
  #sent({ waitedMs = 0, samples }: Extract<SessionEvent, { event: 'sent' }>): void {
    this.#backlog.taken(samples);
    const { clock, microphone } = this.#deps;
    const now = clock.now();
    const ms = waitedMs + now - (this.#since ?? now) + (microphone?.latencyMs() ?? 0);
    this.#deps.delay({ kind: 'micToWire', ms });
  }
}

interface UplinkBacklogDeps {
  readonly session: Pick<CurrentSession, 'pushAudio'>;
  readonly chunkMs: number;
  /** Of what was said while there was no line, so many seconds are gone. */
  readonly lost: (seconds: number) => void;
}

/** What is older is no conversation any more. */
const maxSeconds = 10;
/** In blocks of 20 ms, which is what microphones hand over. */
const maxUnanswered = maxSeconds * 50;
/** A word begins before it is loud, and a voice is known up to 90 ms after it is. In blocks, as the others here. */
const maxPreRoll = 16;
/** By so much silence a model knows that a question is over. */
const maxPause = 75;
/** What a session holds without dropping any of it. */
const maxUnsentChunks = 2;

/**
 * What is said on its way to the session. What the server may not have got when a line dies is kept with what is said until
 * the next one is live, and goes there first, no faster than it is taken.
 */
export class UplinkBacklog {
  readonly #deps: UplinkBacklogDeps;
  readonly #chunk: number;
  /** Since the server's last word. */
  readonly #unconfirmed = new NewestSound();
  /** Since the person began to say what was not answered yet, sent or waiting: the next session has not heard any of it. */
  #unanswered: Float32Array[] = [];
  #asks = false;
  /** The blocks since its last word. */
  #quiet = 0;
  /** For the next session, or still to be taken by this one. */
  readonly #waiting = new NewestSound();
  /** Nothing goes to the session there is. */
  #held = false;
  #spoke = false;
  #lostSamples = 0;
  #unsent = 0;

  constructor(deps: UplinkBacklogDeps) {
    this.#deps = deps;
    this.#chunk = (deps.chunkMs * inputRate) / 1000;
  }

  /** Nothing of before is still to be sent. */
  get isEmpty(): boolean {
    return this.#waiting.isEmpty;
  }

  push(part: Float32Array, speaks: boolean): void {
    this.#spoke ||= speaks;
    const own = this.#remember(part, speaks);
    if (this.isEmpty) this.#send(own);
    else {
      this.#wait(own);
      this.#drain();
    }
  }

  /** There is no line to say it on, or it is for the next session. */
  hold(part: Float32Array, speaks: boolean): void {
    this.#held = true;
    this.#spoke ||= speaks;
    this.#wait(this.#remember(part, speaks));
  }

  /** What went before the chunk that is being filled has come to the server. */
  heardServer(speaks: boolean): void {
    this.#unconfirmed.keep(this.#chunk);
    if (this.isEmpty) this.#spoke = speaks;
  }

  /** The session has sent so much, or has let go of it. */
  taken(samples: number): void {
    this.#unsent = Math.max(0, this.#unsent - samples);
    this.#drain();
  }

  /** The model answers: what was sent until now has been heard. */
  answered(): void {
    // Since the last known word another one may have begun.
    const begun = Math.min(maxPreRoll, this.#quiet);
    this.#unanswered = this.isEmpty
      ? this.#unanswered.slice(Math.max(0, this.#unanswered.length - begun))
      : [...this.#waiting.parts];
    this.#asks = !this.isEmpty && this.#spoke;
  }

  /** Another session is to have it, which has heard nothing of this one. */
  handOver(): void {
    this.#unconfirmed.set([]);
    this.#unsent = 0;
    this.#spoke = this.#asks;
    // How long an answer was waited for is not waited for again.
    const until = this.#unanswered.length - Math.max(0, this.#quiet - maxPause);
    this.#waiting.set(
      this.#asks ? this.#unanswered.slice(0, until) : this.#unanswered.slice(-maxPreRoll),
    );
  }

  lineLost(): void {
    const all = [...this.#unconfirmed.parts, ...this.#waiting.parts];
    this.#unconfirmed.set([]);
    this.#waiting.set([]);
    for (const part of all) this.#wait(part);
  }

  /**
   * The session gets what was held back, without silence: that would only make it late. The newest 320 ms go along all the
   * same, since a word may have begun in them that the detector does not know yet; they fill the first chunk the sooner.
   */
  released(): void {
    this.#held = false;
    this.#unsent = 0;
    const seconds = Math.ceil(this.#lostSamples / inputRate);
    this.#lostSamples = 0;
    if (!this.#spoke) this.#waiting.set(this.#waiting.parts.slice(-maxPreRoll));
    else if (seconds > 0) this.#deps.lost(seconds);
    this.#drain();
  }

  clear(): void {
    this.#unconfirmed.set([]);
    this.#waiting.set([]);
    this.#held = false;
    this.#unanswered = [];
    this.#asks = false;
    this.#spoke = false;
    this.#lostSamples = 0;
    this.#unsent = 0;
  }

  /** Answers the one copy of it, which nobody changes. */
  #remember(part: Float32Array, speaks: boolean): Float32Array {
    const own = part.slice();
    this.#asks ||= speaks;
    this.#quiet = speaks ? 0 : this.#quiet + 1;
    this.#unanswered.push(own);
    const max = this.#asks ? maxUnanswered : maxPreRoll;
    // Many at a time, so that they are not moved for each.
    if (this.#unanswered.length > 2 * max)
      this.#unanswered.splice(0, this.#unanswered.length - max);
    return own;
  }

  #wait(part: Float32Array): void {
    this.#waiting.add(part);
    this.#lostSamples += this.#waiting.keep(maxSeconds * inputRate);
  }

  #drain(): void {
    while (!this.#held && this.#unsent < maxUnsentChunks * this.#chunk) {
      const next = this.#waiting.takeFirst();
      if (next === undefined) return;
      this.#send(next);
    }
  }

  #send(part: Float32Array): void {
    this.#unsent += part.length;
    this.#unconfirmed.add(part);
    this.#unconfirmed.keep(maxSeconds * inputRate);
    this.#deps.session.pushAudio(part);
  }
}
