import { done, type Outcome } from '../../../shared/errors/app-error.ts';
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
  /** Another user of the sound devices took the speaker. */
  readonly onTakenOver: () => void;
  /** A device became available or was lost. */
  readonly onDeviceChange: () => void;
}

/** Samples written ahead of playback; a seek discards them. */
const bufferedSamples = outputRate * 0.3;
const samplesPerMs = outputRate / 1000;

interface PlayRun {
  readonly scale: TimeScale;
  readonly from: number;
  readonly speed: number;
  /** Samples the speaker had counted when this run began. */
  readonly heardBefore: number;
  written: number;
}

/** Plays both voices of a replay on the speaker. */
export class ReplaySpeaker {
  readonly #deps: ReplaySpeakerDeps;
  readonly #rendered: Pick<RenderedTape, 'heard' | 'microphone'>;
  #speaker: ReturnType<ReplaySpeakerDeps['createSpeaker']> | undefined;
  #release: (() => void) | undefined;
  #run: PlayRun | undefined;
  #isDevicePresent = false;

  constructor(rendered: Pick<RenderedTape, 'heard' | 'microphone'>, deps: ReplaySpeakerDeps) {
    this.#rendered = rendered;
    this.#deps = deps;
  }

  get isPlaying(): boolean {
    return this.#isDevicePresent && this.#run !== undefined;
  }

  /** Acquires the speaker; fails while a talk holds it. */
  async open(): Promise<Outcome<undefined>> {
    if (this.#speaker !== undefined) return done;
    const acquired = await this.#deps.lock.acquire(async () => {
      await this.close();
      this.#deps.onTakenOver();
    });
    if (!acquired.ok) return acquired;
    this.#release = acquired.value;
    const { speaker: device, playbackVolume } = this.#deps.audio();
    const speaker = this.#deps.createSpeaker({ device, emit: this.#onDevice });
    speaker.setVolume(playbackVolume);
    this.#speaker = speaker;
    await speaker.open();
    return done;
  }

  /** Discards queued sound and plays from this tape time. */
  begin(at: number, speed: number): void {
    const speaker = this.#speaker;
    if (speaker === undefined) return;
    speaker.flush();
    const scale = new TimeScale(outputRate, speed, Math.round(at * samplesPerMs), this.#read);
    this.#run = {
      scale,
      from: at,
      speed,
      heardBefore: speaker.heard() + speaker.queued(),
      written: 0,
    };
  }

  silence(): void {
    this.#speaker?.flush();
    this.#run = undefined;
  }

  /** Fills the queue, up to what is rendered. */
  feed(until: number): void {
    const speaker = this.#speaker;
    const run = this.#run;
    if (speaker === undefined || run === undefined || !this.#isDevicePresent) return;
    const last = ((until - run.from) * samplesPerMs) / run.speed;
    while (speaker.queued() < bufferedSamples && run.written < last) {
      const sound = run.scale.next();
      run.written += sound.length;
      speaker.write(sound);
    }
  }

  /** Tape time being heard now. */
  position(): number | undefined {
    const speaker = this.#speaker;
    const run = this.#run;
    if (speaker === undefined || run === undefined || !this.#isDevicePresent) return undefined;
    return run.from + (Math.max(0, speaker.heard() - run.heardBefore) * run.speed) / samplesPerMs;
  }

  async close(): Promise<void> {
    const speaker = this.#speaker;
    this.#speaker = undefined;
    this.#run = undefined;
    this.#isDevicePresent = false;
    this.#release?.();
    this.#release = undefined;
    await speaker?.end();
  }

  readonly #onDevice = ({ kind }: DeviceEvent): void => {
    const isPresent = kind !== 'lost';
    if (isPresent === this.#isDevicePresent) return;
    this.#isDevicePresent = isPresent;
    this.#deps.onDeviceChange();
  };

  readonly #read = (at: number, count: number): Float32Array => {
    const sound = new Float32Array(count);
    this.#rendered.heard.addTo(sound, at);
    this.#rendered.microphone.addTo(sound, at);
    return sound.map((sample) => Math.max(-1, Math.min(1, sample)));
  };
}
