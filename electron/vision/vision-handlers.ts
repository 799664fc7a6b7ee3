import { failure } from '../../shared/errors/app-error.ts';
import type { Page } from '../../shared/ipc/page.ts';
import type { VisionHandlers } from '../../shared/ipc/vision-ipc.ts';
import type { Shareables } from '../../shared/ports/pictures.ts';
import type { VisionOptions } from '../../shared/vision/vision-options.ts';
import type { FramePipeline } from './frame-pipeline.ts';

interface Deps {
  readonly framePipeline: FramePipeline;
  /** Undefined if the browser asks the user what to share. */
  readonly shareables: Shareables | undefined;
  /** Saves slices, rate and stillness as settings. */
  readonly persist?: ((options: VisionOptions) => void) | undefined;
}

export function createVisionHandlers({ framePipeline, shareables, persist }: Deps): VisionHandlers {
  const listed = new WeakMap<Page, ReadonlySet<string>>();
  let forget: (() => void) | undefined;
  return {
    setCapturePermission: (permission, page) => {
      // If Parley lists the screens itself, only a listed one can be shared.
      const isPermitted =
        permission.open !== 'screen' || listed.get(page)?.has(permission.id ?? '');
      if (shareables !== undefined && isPermitted !== true) return failure('screenUnasked');
      framePipeline.setPermission(permission);
      forget?.();
      // A page opened later shows vision as off, so no capture may continue.
      forget = page.whenGone(() => {
        framePipeline.setPermission({ open: 'nothing' });
      });
      return framePipeline.permission;
    },
    setVisionOptions: (options) => {
      framePipeline.setOptions(options);
      persist?.(options);
      return framePipeline.options;
    },
    pushFrame: (frame) => framePipeline.offer(frame),
    shareables: async ({ thumbnails }, page) => {
      if (shareables === undefined) return { offered: false, list: [] };
      // Window titles and thumbnails are private until the user asks for the list.
      if (!page.hasRecentInput()) return failure('screenUnasked');
      const list = await shareables.list(thumbnails);
      if (!list.ok) return list;
      listed.set(page, new Set([...(listed.get(page) ?? []), ...list.value.map(({ id }) => id)]));
      return { offered: true, list: list.value };
    },
  };
}
