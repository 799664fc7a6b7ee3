import { appError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { SincResampler } from '../../audio/dsp/sinc-resampler.ts';
import type { Conversation } from '../../talk/conversation.ts';
import type { TalkPublisher } from '../../talk/talk-reporter.ts';
import type { Tape } from '../tape/tape.ts';
import type { TimelineBuilder } from './timeline-builder.ts';
import type { RenderedTape } from './rendered-tape.ts';
import type { Replay } from './replay-tape.ts';
import { type EventLine, isInterruptOnWire, type ReplayTarget } from './tape-lines.ts';

interface Deps {
  readonly clock: Pick<Clock, 'now'>;
  readonly marks: TimelineBuilder;
  readonly publisher: TalkPublisher;
  readonly microphone: TapedMicrophone;
  readonly replay: Pick<Replay, 'playedLines'>;
  /** Called only after the first session is open. */
  readonly conversation: () => Conversation;
}

/** Repeats on a replayed conversation what the user did in the recorded talk. */
export class TapedPerson {
  readonly #tape: Tape;
  readonly #eventAt: ReadonlyMap<number, TapeEvent | undefined>;
  readonly #deps: Deps;
  lastPictureLine = -1;
  #paused = false;
  readonly #handsOver: boolean;

  readonly target: ReplayTarget = {
    pushAudio: (block: Float32Array): void => {
      this.#deps.microphone.addChunk(this.#deps.clock.now(), block);
      this.#deps.conversation().pushAudio(block);
    },
    pushFrame: (frame: Uint8Array): void => {
      this.lastPictureLine = this.#deps.replay.playedLines() - 1;
      this.#deps.conversation().pushFrame(frame);
    },
    setMaxSlices: (slices: number): void => {
      this.#deps.conversation().setMaxSlices(slices);
    },
    // Written conversations cannot be replayed.
    ask: (): void => undefined,
    interrupt: (): void => {
      this.#interrupt();
    },
    end: (): void => {
      // With hand-overs, a closed session is not the end of the talk.
      if (!this.#handsOver) this.#deps.conversation().end();
    },
  };

  constructor(tape: Tape, events: readonly EventLine[], deps: Deps) {
    this.#tape = tape;
    this.#eventAt = new Map(events.map(({ index, event }) => [index, event]));
    this.#deps = deps;
    this.#handsOver = events.some(({ event }) => event?.kind === 'handOver');
  }

  /** Applies the `event` line that the replay has reached. */
  followEvent(): void {
    const index = this.#deps.replay.playedLines() - 1;
    const event = this.#eventAt.get(index);
    if (event !== undefined) this.#follow(event, index);
  }

  #follow(event: TapeEvent, index: number): void {
    const talk = this.#deps.conversation();
    if (event.kind === 'controls') {
      if (event.controls.paused !== this.#paused) talk.setPaused(event.controls.paused);
      this.#paused = event.controls.paused;
      this.#deps.publisher.publish({ event: 'controls', controls: event.controls });
    } else if (event.kind === 'floor')
      this.#deps.publisher.publish({ event: 'floor', floor: event.floor });
    else if (event.kind === 'devices') {
      this.#deps.marks.followDevices(this.#deps.clock.now(), event.devices);
      this.#deps.publisher.publish({ event: 'devices', devices: event.devices });
    } else if (event.kind === 'computerSound')
      talk.onComputerSound({ kind: event.on ? 'on' : 'off' });
    else if (event.kind === 'interrupt') {
      // An interrupt that reached the server is on the wire, too, and `target` repeats that one.
      if (!isInterruptOnWire(this.#tape.lines, index)) this.#interrupt();
    } else if (event.kind === 'bargeIn') talk.onBargeIn(event.does);
    else if (event.kind === 'handOver') talk.handOver(event.step);
    else if (event.kind === 'gap')
      this.#deps.marks.addTrouble(this.#deps.clock.now(), appError('tapeGap'));
    else if (event.kind === 'end') talk.end();
    else if (event.kind === 'continue') talk.continueTalk(event.carry);
    else if (event.kind === 'networkBack') talk.onNetworkBack();
    else if (event.kind === 'lostInSleep') talk.onSystemWake();
  }

  #interrupt(): void {
    this.#deps.marks.addInterruption(this.#deps.clock.now());
    this.#deps.conversation().interrupt();
  }
}

/** Chunks with a smaller gap are contiguous. */
const jitterSamples = inputRate / 10;

/** Places the user's sound at its capture time, which ended when the chunk was sent. */
export class TapedMicrophone {
  readonly #rendered: Pick<RenderedTape, 'microphone' | 'yourLevels'>;
  readonly #resampler = new SincResampler(inputRate, outputRate);
  #end = 0;
  /** Next write position, in resampled samples. */
  #position = 0;

  constructor(rendered: Pick<RenderedTape, 'microphone' | 'yourLevels'>) {
    this.#rendered = rendered;
  }

  addChunk(now: number, chunk: Float32Array): void {
    const captured = Math.max(0, Math.round((now * inputRate) / 1000) - chunk.length);
    const isContiguous = Math.abs(captured - this.#end) < jitterSamples;
    const at = isContiguous ? this.#end : Math.max(captured, this.#end);
    if (!isContiguous) {
      this.#resampler.restart();
      this.#position = Math.round((at * outputRate) / inputRate);
    }
    const sound = this.#resampler.convert(chunk);
    this.#rendered.microphone.put(this.#position, sound);
    this.#position += sound.length;
    this.#rendered.yourLevels.put(at, chunk);
    this.#end = at + chunk.length;
  }
}
