import { SerialQueue } from '../../shared/lifetime.ts';
import type { ComputerSoundState } from '../../shared/talk/computer-sound.ts';
import { ComputerSoundMix } from '../audio/capture/computer-sound-mix.ts';
import type { ComputerSoundStream, SoundOpeners } from '../audio/devices/sound-devices.ts';
import type { DeviceEvent } from '../audio/devices/stream-supervisor.ts';

interface Deps {
  readonly open: SoundOpeners['openComputerSound'] | undefined;
  readonly volume: () => number;
  readonly onStateChange: (state: ComputerSoundState) => void;
}

/**
 * Lets the model of one talk hear what the computer plays. It is off until the user turns it on, and open only while
 * the microphone may be open.
 */
export class ComputerSound {
  readonly #deps: Deps;
  readonly #mix: ComputerSoundMix;
  readonly #queue = new SerialQueue();
  #stream: ComputerSoundStream | undefined;
  #isWanted = false;
  #isAdmitted = false;
  #state: ComputerSoundState;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#mix = new ComputerSoundMix(deps.volume);
    this.#state = { kind: deps.open === undefined ? 'unsupported' : 'off' };
  }

  get state(): ComputerSoundState {
    return this.#state;
  }

  /** Adds the computer's sound to a part of what is sent. */
  readonly addTo = (part: Float32Array, userSpeaks: boolean): Float32Array =>
    this.#stream === undefined ? part : this.#mix.mix(part, userSpeaks);

  async turn(on: boolean): Promise<void> {
    if (this.#deps.open === undefined) return;
    this.#isWanted = on;
    await this.#apply();
  }

  /** @param admitted whether the talk may have a microphone now */
  async admit(admitted: boolean): Promise<void> {
    this.#isAdmitted = admitted;
    await this.#apply();
  }

  /** The talk is over; the next one begins without the computer's sound. */
  async end(): Promise<void> {
    await this.turn(false);
  }

  #apply(): Promise<void> {
    return this.#queue.run(async () => {
      const { open } = this.#deps;
      const shouldHear = this.#isWanted && this.#isAdmitted;
      if (shouldHear && this.#stream === undefined && open !== undefined) {
        this.#show({ kind: 'opening' });
        this.#mix.clear();
        this.#stream = await open(this.#mix, (event) => this.#onDevice(event));
      } else if (!shouldHear && this.#stream !== undefined) {
        const stream = this.#stream;
        this.#stream = undefined;
        await stream.end();
      }
      if (!shouldHear && open !== undefined)
        this.#show({ kind: this.#isWanted ? 'opening' : 'off' });
    });
  }

  #onDevice(event: DeviceEvent): void {
    if (!this.#isWanted) return;
    this.#show(event.kind === 'lost' ? { kind: 'lost', error: event.error } : { kind: 'on' });
  }

  #show(state: ComputerSoundState): void {
    if (state.kind === this.#state.kind && state.kind !== 'lost') return;
    this.#state = state;
    this.#deps.onStateChange(state);
  }
}
