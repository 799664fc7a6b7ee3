import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import type { BargeInOptions } from '../../shared/sound/barge-in-options.ts';
import { BargeInDetector } from '../sound/capture/barge-in.ts';
import type { BargeInEvent } from '../sound/capture/barge-in.ts';
import type { TransmitGate } from '../sound/capture/transmit-gate.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationDeps } from './conversation.ts';
import type { CurrentSession } from './current-session.ts';
import type { Delay } from './playout-delays.ts';
import { VoiceDetector } from '../sound/capture/voice-detector.ts';

interface Deps {
  readonly clock: Clock;
  readonly gate: TransmitGate;
  /** Gets what the gate lets through, or the silence for it. */
  readonly session: Pick<CurrentSession, 'pushAudio'>;
  readonly microphone: ConversationDeps['microphone'];
  readonly delay: (delay: Delay) => void;
  readonly bargeIn: BargeInOptions;
  /** The person speaks over the answer, or no longer does. */
  readonly onBargeIn: (event: BargeInEvent) => void;
}

/** The uplink of a conversation: microphone blocks through gate and barge-in detector to the session. */
export class UplinkPath {
  readonly #deps: Deps;
  readonly #voice = new VoiceDetector(inputRate);
  readonly #bargeIn: BargeInDetector;
  /** When the block came that is being handed on. */
  #since: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#bargeIn = new BargeInDetector(deps.bargeIn);
  }

  /** The person speaks, and the model hears it. */
  get speaks(): boolean {
    return this.#voice.speaks;
  }

  pushAudio(block: Float32Array, answering: boolean): void {
    const { clock, gate, session, onBargeIn } = this.#deps;
    const now = clock.now();
    this.#since = now;
    for (const part of gate.push(block)) {
      this.#voice.push(part);
      session.pushAudio(part);
    }
    this.#since = undefined;
    const event = this.#bargeIn.push(block, now, answering && gate.transmitting);
    if (event !== undefined) onBargeIn(event);
  }

  /** What is heard of the answer now: its echo is not the person. */
  played(samples: Float32Array): void {
    this.#bargeIn.played(samples, this.#deps.clock.now());
  }

  /** Nothing is sent for the time being. */
  stop(): void {
    this.#voice.stop();
  }

  /** A chunk has gone out, after it was held back for so long. */
  sent(waitedMs: number): void {
    const { clock, microphone } = this.#deps;
    const now = clock.now();
    const ms = waitedMs + now - (this.#since ?? now) + (microphone?.latencyMs() ?? 0);
    this.#deps.delay({ kind: 'micToWire', ms });
  }
}
