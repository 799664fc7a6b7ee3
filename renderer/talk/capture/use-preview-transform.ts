import { defaultVisionOptions } from '../../../shared/vision/vision-options.ts';
import { useUiState } from '../../store/use-app-context.ts';

/** People know themselves mirrored; a screen that is mirrored nobody can read. */
export function usePreviewTransform(): { readonly mirror: boolean; readonly flip: boolean } {
  const camera = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  const mirror = useUiState(
    ({ settings }) => settings?.vision.mirror ?? defaultVisionOptions.mirror,
  );
  const flip = useUiState(({ settings }) => settings?.vision.flip ?? defaultVisionOptions.flip);
  return { mirror: camera && mirror, flip: camera && flip };
}
