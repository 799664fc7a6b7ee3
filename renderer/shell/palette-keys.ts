/** What opens the palette, as this system writes it. */
export function paletteKeys(platform: string): string {
  return /mac/i.test(platform) ? '⌘K' : 'Ctrl K';
}
