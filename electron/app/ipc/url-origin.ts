/** Returns undefined if the URL is invalid. */
export function urlOrigin(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
