import type { TFunction } from 'i18next';

/** A day as people call it: today, yesterday, a weekday with its date; the year where it is another one. */
export function dayName(at: number, now: number, language: string, t: TFunction): string {
  const [day, today] = [new Date(at), new Date(now)];
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (day.toDateString() === today.toDateString()) return t('history.today');
  if (day.toDateString() === yesterday.toDateString()) return t('history.yesterday');
  const year = day.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...year,
  }).format(day);
}

export function hourAndMinute(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(at));
}

export function dayAndTime(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(
    new Date(at),
  );
}

/** Which entries begin a day: those whose day is another one than that of the entry before. */
export function beginsDay(at: number, before: number | undefined): boolean {
  return before === undefined || new Date(at).toDateString() !== new Date(before).toDateString();
}

/** How long it took, as people say it: seconds below a minute, minutes below an hour. */
export function lengthText(seconds: number, language: string): string {
  const unit = (value: number, unit: 'second' | 'minute' | 'hour'): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const whole = Math.round(seconds);
  if (whole < 60) return unit(whole, 'second');
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return unit(minutes, 'minute');
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${unit(rest, 'minute')}`;
}
