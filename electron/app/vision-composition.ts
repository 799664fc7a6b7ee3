import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { VisionHandlers } from '../../shared/ipc/vision-ipc.ts';
import type { Shareables } from '../../shared/ports/pictures.ts';
import {
  isSameVision,
  type VisionOptions,
  toVisionOptions,
  toVisionSettings,
} from '../../shared/vision/vision-options.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { FramePipeline, createVisionHandlers } from '../vision/frame-pipeline.ts';
import type { Machine } from './machine.ts';

/** Prepares camera and screen frames for talks, as the settings say. */
export class VisionComposition {
  readonly framePipeline: FramePipeline;
  readonly handlers: VisionHandlers;
  readonly #settings: SettingsStore;

  constructor(
    { frames, clock, log, notices, lifetime }: Machine,
    settings: SettingsStore,
    shareables: Shareables | undefined,
  ) {
    this.#settings = settings;
    this.framePipeline = new FramePipeline({
      frames,
      clock,
      onSent: (frame) => notices.post('frameSent', frame),
      onCounted: (count) => notices.post('frameCounted', count),
      onRefused: (error) => log.write('warn', `a frame was refused: ${describeAppError(error)}`),
    });
    const persist = (options: VisionOptions): void => {
      const { chunkMs } = settings.get().assistant.generation;
      settings.change({ vision: toVisionSettings(options, chunkMs) });
    };
    const { framePipeline } = this;
    this.handlers = createVisionHandlers({ framePipeline, shareables, persist });
    lifetime.add(settings.listen(this.applySettings), 'settings listener: vision');
  }

  /** Applies the stored options; long-running hosts call this at the start. */
  readonly applySettings = (): void => {
    const { vision, assistant } = this.#settings.get();
    const stored = toVisionOptions(vision, assistant.generation.chunkMs);
    const { options } = this.framePipeline;
    if (!isSameVision(stored, options)) this.framePipeline.setOptions({ ...options, ...stored });
    this.framePipeline.setBudget(vision.budget);
  };
}
