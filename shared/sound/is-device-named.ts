/**
 * Whether a person means this device: by its name, or by `name@host API` where several share a name
 * (on Windows most do).
 */
export function isDeviceNamed(
  device: { readonly name: string; readonly hostApi: string },
  meant: string,
): boolean {
  return device.name === meant || `${device.name}@${device.hostApi}` === meant;
}
