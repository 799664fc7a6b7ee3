/**
 * What a page of Parley may load and reach: its own files, its own host, and nothing else.
 * The same words go with the page in the desktop window and in the browser.
 */
export function contentSecurityPolicy(connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * What a page may ask the browser or the window for: the camera and a screen, both of which the
 * person grants. Sound is the main side's own; everything else nobody needs.
 */
export const permissionsPolicy = [
  'camera=(self)',
  'display-capture=(self)',
  ...['microphone', 'geolocation', 'midi', 'usb', 'serial', 'hid', 'payment'].map(
    (feature) => `${feature}=()`,
  ),
].join(', ');
