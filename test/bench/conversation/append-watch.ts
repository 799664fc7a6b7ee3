import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { findSound } from './find-sound.ts';
import type { GatewayMessage } from './gateway.ts';
import type { Rig } from './rig.ts';

type Append = Extract<GatewayMessage, { kind: 'append' }>;

/** The rig's own capture may have a chunk's end later than the server has it. */
const waitMs = 400;
/** No older than this is the end of a chunk that has just come. */
const lookBackMs = 500;
/** Two conversions of one noise may lie half a sample apart. */
const minLikeness = 0.6;

/** How old the last sample of each append is when its bytes come, by the rig's own capture at the microphone. */
export class AppendWatch {
  readonly delaysMs: number[] = [];
  /** Appends whose end the rig has not heard. */
  unplaced = 0;
  appends = 0;
  samples = 0;
  frames = 0;
  readonly #rig: Rig;
  readonly #stop: () => void;

  constructor(rig: Rig) {
    this.#rig = rig;
    this.#stop = rig.gateway.listen((message) => {
      if (message.kind !== 'append') return;
      this.appends += 1;
      this.samples += message.samples;
      this.frames += message.frames;
      setTimeout(() => {
        this.#place(message);
      }, waitMs);
    });
  }

  end(): void {
    this.#stop();
  }

  #place({ at, end }: Append): void {
    const { source } = this.#rig;
    const from = Math.max(0, source.sampleAt(at - lookBackMs));
    const until = Math.min(source.count, source.sampleAt(at) + inputRate / 50);
    const found = findSound(Float32Array.from(end), source.part(from, until));
    if (found.likeness < minLikeness) {
      this.unplaced += 1;
      return;
    }
    this.delaysMs.push(at - source.timeOf(from + found.at + end.length));
  }
}
