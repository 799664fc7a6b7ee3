import { failure } from '../../shared/errors/app-error.ts';
import type { Page } from '../../shared/ipc/page.ts';
import type { VisionHandlers } from '../../shared/ipc/vision-ipc.ts';
import type { Shareables } from '../../shared/ports/pictures.ts';
import type { VisionOptions } from '../../shared/vision/vision-options.ts';
import type { FramePipeline } from './frame-pipeline.ts';

interface Deps {
  readonly framePipeline: FramePipeline;
  /** Missing where the browser itself asks the person what to share. */
  readonly shareables: Shareables | undefined;
  /** Slices, rate and stillness are settings that stay. */
  readonly persist?: ((options: VisionOptions) => void) | undefined;
}

/** What the requests about vision do. */
export function createVisionHandlers({ framePipeline, shareables, persist }: Deps): VisionHandlers {
  const listed = new WeakMap<Page, ReadonlySet<string>>();
  let forget: (() => void) | undefined;
  return {
    setCapturePermission: (permission, page) => {
      // Where Parley has a list of its own, only what stood in it can be shown.
      const picked = permission.open !== 'screen' || listed.get(page)?.has(permission.id ?? '');
      if (shareables !== undefined && picked !== true) return failure('screenUnasked');
      framePipeline.setPermission(permission);
      forget?.();
      // A page that comes after it has a switch that is off, and nothing may see behind it.
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
      // Titles of windows and pictures of screens are nobody's but the person's, until they ask for them.
      if (!page.usedJustNow()) return failure('screenUnasked');
      const list = await shareables.list(thumbnails);
      if (!list.ok) return list;
      listed.set(page, new Set([...(listed.get(page) ?? []), ...list.value.map(({ id }) => id)]));
      return { offered: true, list: list.value };
    },
  };
}
