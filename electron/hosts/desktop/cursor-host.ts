import { desktopCapturer, screen } from 'electron';
import { failure } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { CursorHost } from '../../app/cursor.ts';
import { findOtherPrograms } from '../../app/other-programs.ts';
import type { DesktopWindows } from './desktop-windows.ts';
import { foreignClipboard } from './foreign-clipboard.ts';

const quality = 90;

/** The small window, and the programs that it works in. */
export function createCursorHost({
  cursor,
  region,
}: Pick<DesktopWindows, 'cursor' | 'region'>): CursorHost {
  return {
    window: cursor,
    regionWindow: region,
    programs: findOtherPrograms({ clipboard: foreignClipboard(), hideOwnWindow: cursor.hide }),
    captureScreen,
  };
}

const captureScreen: CursorHost['captureScreen'] = async (maxSide) => {
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
    const taken = sources.find(({ display_id: id }) => id === String(display.id)) ?? sources[0];
    if (taken === undefined || taken.thumbnail.isEmpty()) return failure('screenForbidden');
    return { ok: true, value: taken.thumbnail.toJPEG(quality) };
  } catch (error) {
    return failure('screenForbidden', {}, { detail: describeError(error) });
  }
};
