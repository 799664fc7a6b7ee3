import { useEffect } from 'react';
import { useActions, useView } from '../store/use-desk.ts';

/**
 * A camera goes with its window: nobody should be seen by a window that they have closed. A shared
 * screen stays, as it is shared for what is done elsewhere.
 */
export function useCameraLeaves(): void {
  const { setEye } = useActions();
  const closed = useView(({ windows }) => windows?.main === false);
  const eye = useView(({ eye }) => eye);
  const looks =
    eye.state === 'opening' ||
    eye.state === 'lost' ||
    (eye.state === 'open' && isCamera(eye.stream));
  useEffect(() => {
    if (closed && looks) void setEye(false);
  }, [closed, looks, setEye]);
}

/** Only what shows a screen says of what kind it is. */
function isCamera(stream: MediaStream): boolean {
  return stream.getVideoTracks().every((track) => !('displaySurface' in track.getSettings()));
}
