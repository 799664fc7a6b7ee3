/** When a tape was recorded, as people say it; nothing where it does not say. */
export function recordedText(recordedAt: string, language: string): string | undefined {
  const at = Date.parse(recordedAt);
  if (Number.isNaN(at)) return undefined;
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
