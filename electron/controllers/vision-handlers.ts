import type { VisionOptions } from '../../shared/vision/vision-options.ts';
import type { Handlers } from '../../shared/ipc/contract.ts';
import { unwrap } from '../ipc/request-refused-error.ts';
import type { Shareables } from '../ports/pictures.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';

export type VisionHandlers = Pick<
  Handlers,
  'setCapturePermission' | 'setVisionOptions' | 'pushFrame' | 'shareables'
>;

interface Deps {
  readonly framePipeline: FramePipeline;
  /** Missing where the browser itself asks the person what to share. */
  readonly shareables: Shareables | undefined;
  /** Slices, rate and stillness are settings that stay. */
  readonly persist?: ((options: VisionOptions) => void) | undefined;
}

/** What the requests about vision do. */
export function createVisionHandlers({ framePipeline, shareables, persist }: Deps): VisionHandlers {
  return {
    setCapturePermission: (permission) => {
      framePipeline.setPermission(permission);
      return framePipeline.permission;
    },
    setVisionOptions: (options) => {
      framePipeline.setOptions(options);
      persist?.(options);
      return framePipeline.options;
    },
    pushFrame: ({ jpeg }) => framePipeline.offer(jpeg),
    shareables: async ({ thumbnails }) => {
      if (shareables === undefined) return { offered: false, list: [] };
      return { offered: true, list: unwrap(await shareables.list(thumbnails)) };
    },
  };
}
