import { TurnQueue } from './turn-queue.ts';

interface Run {
  readonly samples: number;
  /** Of the answer; else it was put in between. */
  readonly own: boolean;
}

/**
 * What of an answer waits to be heard, some of it at the speaker, some not yet. The speaker also has
 * what was put in between: that counts for nobody but the speaker.
 */
export class PlayoutQueue {
  readonly answer = new TurnQueue();
  #runs: Run[] = [];
  /** Samples of the speaker's that were counted as heard, its own and ours. */
  #followed = 0;
  #sounding = false;
  #putInHeard = 0;

  /** Something that the speaker has, has begun to sound and goes on. */
  get sounding(): boolean {
    return this.#sounding;
  }

  /** Heard samples, so far, that were put in between. */
  get putInHeard(): number {
    return this.#putInHeard;
  }

  sent(samples: number, own: boolean): void {
    const last = this.#runs.at(-1);
    if (last?.own === own)
      this.#runs[this.#runs.length - 1] = { samples: last.samples + samples, own };
    else this.#runs.push({ samples, own });
  }

  /** The speaker has played so many samples in all; hands out what of the answer that was. */
  follow(played: number, heard: (samples: Float32Array) => void): void {
    for (let fresh = played - this.#followed; fresh > 0;) {
      const [run] = this.#runs;
      if (run === undefined) break;
      const here = Math.min(fresh, run.samples);
      this.#shorten(run, here);
      this.#followed += here;
      fresh -= here;
      this.#sounding = true;
      if (run.own) this.#give(here, heard);
      else this.#putInHeard += here;
    }
    if (this.#runs.length === 0) this.#sounding = false;
  }

  /** The speaker will have played so many samples and no more; says how many of the answer are lost. */
  cutAt(played: number): number {
    let room = Math.max(0, played - this.#followed);
    let own = 0;
    const kept: Run[] = [];
    for (const run of this.#runs) {
      const samples = Math.min(room, run.samples);
      if (samples === 0) break;
      room -= samples;
      if (run.own) own += samples;
      kept.push({ samples, own: run.own });
    }
    this.#runs = kept;
    return this.answer.keep(own);
  }

  #shorten(run: Run, by: number): void {
    if (by === run.samples) this.#runs.shift();
    else this.#runs[0] = { samples: run.samples - by, own: run.own };
  }

  #give(count: number, heard: (samples: Float32Array) => void): void {
    for (let left = count; left > 0;) {
      const samples = this.answer.take(left);
      if (samples === undefined) return;
      left -= samples.length;
      heard(samples);
    }
  }
}
