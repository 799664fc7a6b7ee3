/** What opens the palette, as this system writes it. */
export function paletteKeys(platform: string): string {
  return withCommand(platform, 'K');
}

/** What opens the inspector. */
export function inspectorKeys(platform: string): string {
  return withCommand(platform, 'I');
}

function withCommand(platform: string, key: string): string {
  return /mac/i.test(platform) ? `⌘${key}` : `Ctrl ${key}`;
}
