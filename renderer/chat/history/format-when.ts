/** The time of something today, the day of what is older; the year where it is another one. */
export function formatWhen(at: number, language: string, now = Date.now()): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) {
    return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(then);
  }
  const year = then.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', ...year }).format(then);
}
