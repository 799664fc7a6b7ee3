import { desktopCapturer, screen } from 'electron';
import { failure } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { CursorHost } from '../../app/cursor.ts';
import { findOtherPrograms } from '../../app/other-programs.ts';
import type { DesktopWindows } from './desktop-windows.ts';
import { foreignClipboard } from './foreign-clipboard.ts';

/** The model sees less of a larger picture. */
const maxSide = 2048;
const quality = 90;

/** The small window, and the programs that it works in. */
export function createCursorHost({ cursor }: Pick<DesktopWindows, 'cursor'>): CursorHost {
  return {
    window: cursor,
    programs: findOtherPrograms({ clipboard: foreignClipboard(), hideOwnWindow: cursor.hide }),
    captureScreen,
  };
}

const captureScreen: CursorHost['captureScreen'] = async () => {
  const display = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const { width, height } = display.size;
  const scale = Math.min(1, maxSide / Math.max(width, height));
  try {
    const sources = await desktopCapturer.getSources({
      types: ['screen'],
      thumbnailSize: { width: Math.round(width * scale), height: Math.round(height * scale) },
    });
    const taken = sources.find(({ display_id: id }) => id === String(display.id)) ?? sources[0];
    if (taken === undefined || taken.thumbnail.isEmpty()) return failure('screenForbidden');
    return { ok: true, value: taken.thumbnail.toJPEG(quality) };
  } catch (error) {
    return failure('screenForbidden', {}, { detail: describeError(error) });
  }
};
