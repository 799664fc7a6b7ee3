export interface CameraDevice {
  readonly deviceId: string;
  /** Empty until the person has let a camera be opened once. */
  readonly label: string;
}

/** The browser's media functions, as far as capture needs them. */
export interface VideoDevices {
  /** That camera and no other; any, where none is named. Rejects as `getUserMedia` does. */
  readonly openCamera: (deviceId: string | undefined) => Promise<MediaStream>;
  /** Rejects as `getDisplayMedia` does. */
  readonly openScreen: () => Promise<MediaStream>;
  readonly cameras: () => Promise<readonly CameraDevice[]>;
  readonly cameraPermission: () => Promise<PermissionState>;
  /** Calls back when devices or permissions change, until the returned function is called. */
  readonly onChange: (changed: () => void) => () => void;
}

/** What a person sees is sharp enough at this; a larger camera would only cost time. */
const camera = { width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 10 } };

/** A frame a second is shown to the model, and a few more to the person. */
const screen = { frameRate: { ideal: 5, max: 10 } };

export function createVideoDevices({ mediaDevices, permissions }: Navigator): VideoDevices {
  const permission = (): Promise<PermissionStatus> => permissions.query({ name: 'camera' });
  return {
    openCamera: (deviceId) =>
      mediaDevices.getUserMedia({
        audio: false,
        video: deviceId === undefined ? camera : { ...camera, deviceId: { exact: deviceId } },
      }),
    openScreen: () => mediaDevices.getDisplayMedia({ audio: false, video: screen }),
    cameras: async () => {
      const devices = await mediaDevices.enumerateDevices();
      return devices
        .filter(({ kind }) => kind === 'videoinput')
        .map(({ deviceId, label }) => ({ deviceId, label }));
    },
    cameraPermission: async () => {
      const { state } = await permission();
      return state;
    },
    onChange: (changed) => {
      const stop = new AbortController();
      const { signal } = stop;
      mediaDevices.addEventListener('devicechange', changed, { signal });
      void listenTo(permission(), changed, signal);
      return () => {
        stop.abort();
      };
    },
  };
}

async function listenTo(
  asked: Promise<PermissionStatus>,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const status = await asked;
    status.addEventListener('change', changed, { signal });
  } catch {
    // A browser that cannot be asked reports no change either; devices still do.
  }
}
