import { usualSeeing } from '../../shared/vision/seeing-settings.ts';
import { useView } from '../store/use-desk.ts';

/** People know themselves mirrored; a screen that is mirrored nobody can read. */
export function usePreviewManner(): { readonly mirror: boolean; readonly flip: boolean } {
  const camera = useView(({ seeing }) => seeing.source.kind === 'camera');
  const mirror = useView(({ settings }) => settings?.vision.mirror ?? usualSeeing.mirror);
  const flip = useView(({ settings }) => settings?.vision.flip ?? usualSeeing.flip);
  return { mirror: camera && mirror, flip: camera && flip };
}
