/** A sound device as the system shows it. It is known by its name and host API, never by a number. */
export interface ListedDevice {
  readonly name: string;
  readonly hostApi: string;
  readonly inputChannels: number;
  readonly outputChannels: number;
  readonly rate: number;
  readonly defaultInput: boolean;
  readonly defaultOutput: boolean;
}

/**
 * Whether a person means this device: by its name, or by `name@host API` where several share a name
 * (on Windows most do).
 */
export function isDeviceNamed(
  device: Pick<ListedDevice, 'name' | 'hostApi'>,
  meant: string,
): boolean {
  return device.name === meant || `${device.name}@${device.hostApi}` === meant;
}
