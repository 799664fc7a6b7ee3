/** What opens the palette, as this system writes it. */
export function paletteKeys(platform: string): string {
  return withCommandKey(platform, 'K');
}

/** What opens the inspector. */
export function inspectorKeys(platform: string): string {
  return withCommandKey(platform, 'I');
}

/** What opens the list of keys: the second one also while a text is being written. */
export const shortcutsKeys = ['?', 'F1'] as const;

export function withCommandKey(platform: string, key: string): string {
  return /mac/i.test(platform) ? `⌘${key}` : `Ctrl ${key}`;
}
