import { desktopCapturer, type DesktopCapturerSource, screen, session } from 'electron';
import { failure, describeError } from '../../../shared/errors/app-error.ts';
import type { Shareables } from '../../../shared/ports/pictures.ts';
import type { CaptureSource } from '../../../shared/vision/vision-options.ts';
import type { CursorHost } from '../../app/cursor-composition.ts';
import { urlOrigin } from '../../app/ipc/window-ipc.ts';
import type { FramePipeline } from '../../vision/frame-pipeline.ts';

const thumbnailSize = { width: 320, height: 200 };
const noThumbnail = { width: 0, height: 0 };
const thumbnailQuality = 70;

/** Lists the system's screens and windows, including Parley's own. */
export function createShareables(): Shareables {
  return {
    list: async (withThumbnails) => {
      try {
        const sources = await sourcesWith(withThumbnails ? thumbnailSize : noThumbnail);
        return { ok: true, value: sources.map((source) => shareable(source, withThumbnails)) };
      } catch (error) {
        return failure('screenForbidden', {}, { detail: describeError(error) });
      }
    },
  };
}

/** Gives Parley's page the screen or window that the user picked, while screen sharing is on. */
export function shareScreens(framePipeline: FramePipeline, pageOrigin: string): void {
  session.defaultSession.setDisplayMediaRequestHandler((request, respond) => {
    const { permission } = framePipeline;
    const isOwnPage =
      request.frame !== null &&
      request.frame.parent === null &&
      urlOrigin(request.frame.url) === pageOrigin;
    const id =
      isOwnPage && request.videoRequested && permission.open === 'screen'
        ? permission.id
        : undefined;
    void pickedSource(id).then((source) => {
      // The user may have stopped sharing while the system was asked.
      if (source !== undefined && framePipeline.permission === permission)
        respond({ video: source });
      else refuse(respond);
      return undefined;
    });
  });
}

async function pickedSource(id: string | undefined): Promise<DesktopCapturerSource | undefined> {
  if (id === undefined) return undefined;
  try {
    const sources = await sourcesWith(noThumbnail);
    return sources.find((source) => source.id === id);
  } catch {
    return undefined;
  }
}

function refuse(respond: (streams: object) => void): void {
  try {
    respond({});
  } catch {
    // Electron throws because there is no video; the page gets an error, as intended.
  }
}

function sourcesWith(size: typeof noThumbnail): Promise<DesktopCapturerSource[]> {
  return desktopCapturer.getSources({ types: ['screen', 'window'], thumbnailSize: size });
}

function shareable(
  { id, name, thumbnail }: DesktopCapturerSource,
  withThumbnail: boolean,
): CaptureSource {
  const kind = id.startsWith('screen:') ? 'screen' : 'window';
  if (!withThumbnail || thumbnail.isEmpty()) return { id, kind, name };
  return { id, kind, name, thumbnail: new Uint8Array(thumbnail.toJPEG(thumbnailQuality)) };
}

/** JPEG quality of a screen for the model. */
const screenQuality = 90;

/** Takes a picture of the screen that the pointer is on, for the small window. */
export const captureScreen: CursorHost['captureScreen'] = async (maxSide) => {
  const display = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const { size, scaleFactor } = display;
  const scale = Math.min(scaleFactor, maxSide / Math.max(size.width, size.height));
  try {
    const sources = await desktopCapturer.getSources({
      types: ['screen'],
      thumbnailSize: {
        width: Math.round(size.width * scale),
        height: Math.round(size.height * scale),
      },
    });
    const source = sources.find(({ display_id: id }) => id === String(display.id)) ?? sources[0];
    if (source === undefined || source.thumbnail.isEmpty()) return failure('screenForbidden');
    return { ok: true, value: source.thumbnail.toJPEG(screenQuality) };
  } catch (error) {
    return failure('screenForbidden', {}, { detail: describeError(error) });
  }
};
