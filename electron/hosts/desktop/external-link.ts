const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const maxLength = 2000;

/** What the system may open: pages and letters. Any other scheme could start a program. */
export function isExternalLink(address: string): boolean {
  if (address.length > maxLength || !URL.canParse(address)) return false;
  return schemes.has(new URL(address).protocol);
}
