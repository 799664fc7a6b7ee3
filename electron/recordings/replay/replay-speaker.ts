import type { Outcome } from '../../../shared/errors/app-error.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { DeviceLock } from '../../audio/devices/device-lease.ts';
import type { DeviceEvent } from '../../audio/devices/stream-supervisor.ts';
import { TimeScale } from '../../audio/dsp/time-stretch.ts';
import type { Speaker, SpeakerOptions } from '../../audio/playback/speaker.ts';
import type { RenderedTape } from './rendered-tape.ts';

export interface ReplaySpeakerDeps {
  readonly createSpeaker: (
    options: SpeakerOptions,
  ) => Pick<Speaker, 'open' | 'end' | 'write' | 'flush' | 'heard' | 'queued' | 'setVolume'>;
  readonly lock: Pick<DeviceLock, 'acquire'>;
  readonly audio: () => Pick<AudioSettings, 'speaker' | 'playbackVolume'>;
  /** Somebody else has taken the sound. */
  readonly stopped: () => void;
  /** There is a device now, or none any more. */
  readonly changed: () => void;
}

/** So much is handed on before it is heard; a jump throws it away. */
const aheadSamples = outputRate * 0.3;
const perMs = outputRate / 1000;

interface Run {
  readonly scale: TimeScale;
  readonly from: number;
  readonly speed: number;
  /** The speaker's count where it began. */
  readonly base: number;
  written: number;
}

/** The sound of a replay: both voices, on the speaker, and no microphone anywhere. */
export class ReplaySpeaker {
  readonly #deps: ReplaySpeakerDeps;
  readonly #rendered: Pick<RenderedTape, 'heard' | 'microphone'>;
  #speaker: ReturnType<ReplaySpeakerDeps['createSpeaker']> | undefined;
  #release: (() => void) | undefined;
  #run: Run | undefined;
  #present = false;

  constructor(rendered: Pick<RenderedTape, 'heard' | 'microphone'>, deps: ReplaySpeakerDeps) {
    this.#rendered = rendered;
    this.#deps = deps;
  }

  /** A device plays it. */
  get plays(): boolean {
    return this.#present && this.#run !== undefined;
  }

  /** Takes the speaker; refused while a talk has it. */
  async open(): Promise<Outcome<undefined>> {
    if (this.#speaker !== undefined) return done;
    const taken = await this.#deps.lock.acquire(async () => {
      await this.close();
      this.#deps.stopped();
    });
    if (!taken.ok) return taken;
    this.#release = taken.value;
    const { speaker: device, playbackVolume } = this.#deps.audio();
    const speaker = this.#deps.createSpeaker({ device, emit: this.#onDevice });
    speaker.setVolume(playbackVolume);
    this.#speaker = speaker;
    await speaker.open();
    return done;
  }

  /** Plays from there on, in rendered tape time; what was handed on before is thrown away. */
  begin(at: number, speed: number): void {
    const speaker = this.#speaker;
    if (speaker === undefined) return;
    speaker.flush();
    const scale = new TimeScale(outputRate, speed, Math.round(at * perMs), this.#read);
    this.#run = { scale, from: at, speed, base: speaker.heard() + speaker.queued(), written: 0 };
  }

  silence(): void {
    this.#speaker?.flush();
    this.#run = undefined;
  }

  /** Hands on what will be heard soon, and no more of the rendered tape than is there. */
  feed(until: number): void {
    const speaker = this.#speaker;
    const run = this.#run;
    if (speaker === undefined || run === undefined || !this.#present) return;
    const last = ((until - run.from) * perMs) / run.speed;
    while (speaker.queued() < aheadSamples && run.written < last) {
      const sound = run.scale.next();
      run.written += sound.length;
      speaker.write(sound);
    }
  }

  /** The moment of the rendered tape that is heard now. */
  position(): number | undefined {
    const speaker = this.#speaker;
    const run = this.#run;
    if (speaker === undefined || run === undefined || !this.#present) return undefined;
    return run.from + (Math.max(0, speaker.heard() - run.base) * run.speed) / perMs;
  }

  async close(): Promise<void> {
    const speaker = this.#speaker;
    this.#speaker = undefined;
    this.#run = undefined;
    this.#present = false;
    this.#release?.();
    this.#release = undefined;
    await speaker?.end();
  }

  readonly #onDevice = ({ kind }: DeviceEvent): void => {
    const present = kind !== 'lost';
    if (present === this.#present) return;
    this.#present = present;
    this.#deps.changed();
  };

  readonly #read = (at: number, count: number): Float32Array => {
    const sound = new Float32Array(count);
    this.#rendered.heard.addTo(sound, at);
    this.#rendered.microphone.addTo(sound, at);
    return sound.map((sample) => Math.max(-1, Math.min(1, sample)));
  };
}

const done = { ok: true, value: undefined } as const;
