import type { AppError } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../../shared/settings/settings-groups.ts';
import type { OwnSoundVerdict, OwnSoundWay } from '../../../shared/sound/own-sound.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { AudioSink } from '../capture/audio-sink.ts';
import type { Microphone, MicrophoneOptions, OpenMicrophone } from '../capture/microphone.ts';
import { blockLevels } from '../voices/block-levels.ts';
import {
  inaudibleDb,
  isClipped,
  loudLevel,
  quietDb,
  speechLevel,
  speechThreshold,
} from '../voices/speech-level.ts';

/** A sentence or two. */
const ownSoundSeconds = 5;

/** 16 kHz mono, in memory only. */
export type OwnSound = Readonly<Record<OwnSoundWay, Float32Array>>;

interface Deps {
  readonly openMicrophone: (
    ...args: Parameters<OpenMicrophone>
  ) => Promise<Pick<Microphone, 'end'>>;
  readonly audio: () => Pick<AudioSettings, 'microphone' | 'inputVolume'>;
  readonly onLevel?: MicrophoneOptions['onLevel'];
}

/** What somebody says for a few seconds, as the microphone hears it and as it would go to a server. */
export class OwnSoundRecording implements AudioSink {
  readonly #captured = new Float32Array(ownSoundSeconds * inputRate);
  readonly #sent = new Float32Array(ownSoundSeconds * inputRate);
  readonly #microphone: Promise<Pick<Microphone, 'end'>>;
  #finish: (outcome: Outcome<OwnSound> | undefined) => void = () => undefined;
  #came = 0;
  #went = 0;
  /** Nothing, where it was ended before that. */
  readonly finished: Promise<Outcome<OwnSound> | undefined>;

  constructor({ openMicrophone, audio, onLevel }: Deps) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#microphone = openMicrophone(audio().microphone, this, {
      gain: () => audio().inputVolume,
      onLevel,
      onCaptured: (block) => {
        this.#came = append(this.#captured, this.#came, block);
      },
      emit: (event) => {
        if (event.kind === 'lost') this.#fail(event.error);
      },
    });
  }

  async opened(): Promise<this> {
    await this.#microphone;
    return this;
  }

  pushAudio(block: Float32Array): void {
    this.#went = append(this.#sent, this.#went, block);
    if (this.#went < this.#sent.length) return;
    this.#finish({ ok: true, value: { captured: this.#captured, sent: this.#sent } });
  }

  readonly end = async (): Promise<void> => {
    this.#finish(undefined);
    await (await this.#microphone).end();
  };

  #fail(error: AppError): void {
    this.#finish({ ok: false, error });
  }
}

/** Clipping is looked for in both: by what the microphone does, and by a volume that is set too high. */
export function judgeOwnSound({ captured, sent }: OwnSound): OwnSoundVerdict {
  const loud = loudLevel(blockLevels(captured, inputRate));
  if (loud < inaudibleDb) return 'unheard';
  if (isClipped(captured) || isClipped(sent)) return 'clipped';
  const levels = blockLevels(sent, inputRate);
  return speechLevel(levels, speechThreshold(loudLevel(levels))) < quietDb ? 'quiet' : 'good';
}

function append(whole: Float32Array, at: number, block: Float32Array): number {
  const taken = block.subarray(0, whole.length - at);
  whole.set(taken, at);
  return at + taken.length;
}
