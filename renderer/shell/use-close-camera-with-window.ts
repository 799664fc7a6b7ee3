import { useEffect } from 'react';
import { useActions, useUiState } from '../store/use-app-context.ts';

/**
 * A camera goes with its window: nobody should be seen by a window that they have closed. A shared
 * screen stays, as it is shared for what is done elsewhere.
 */
export function useCloseCameraWithWindow(): void {
  const { setCapture } = useActions();
  const closed = useUiState(({ windows }) => windows?.main === false);
  const capture = useUiState(({ capture }) => capture);
  const looks =
    capture.state === 'opening' ||
    capture.state === 'lost' ||
    (capture.state === 'open' && isCamera(capture.stream));
  useEffect(() => {
    if (closed && looks) void setCapture(false);
  }, [closed, looks, setCapture]);
}

/** Only what shows a screen says of what kind it is. */
function isCamera(stream: MediaStream): boolean {
  return stream.getVideoTracks().every((track) => !('displaySurface' in track.getSettings()));
}
