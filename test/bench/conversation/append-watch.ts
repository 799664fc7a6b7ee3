import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { findSound } from './sound-tape.ts';
import type { GatewayMessage } from './gateway.ts';
import type { Rig } from './rig.ts';

type Append = Extract<GatewayMessage, { kind: 'append' }>;

/** The rig's capture may receive a chunk's end later than the server. */
const waitMs = 400;
/** Maximum age of the end of a chunk that has just arrived. */
const lookBackMs = 500;
/** Two resampled copies may differ by half a sample. */
const minLikeness = 0.6;

/** Measures the age of each append's last sample on arrival, from the rig's own capture of the microphone. */
export class AppendWatch {
  readonly delaysMs: number[] = [];
  /** Appends whose end was not found in the rig's capture. */
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
