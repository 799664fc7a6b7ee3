import { useEffect, useState } from 'react';

/** Whole seconds that are left of what was `seconds` at the time `at`; renders once a second. */
export function useCountdown(
  seconds: number | undefined,
  at: number,
  now: () => number,
): number | undefined {
  const [, tick] = useState(0);
  const left = seconds === undefined ? undefined : secondsLeft(seconds, at, now());
  useEffect(() => {
    if (left === undefined || left <= 0) return undefined;
    const timer = setTimeout(() => {
      tick((count) => count + 1);
    }, 1000);
    return () => {
      clearTimeout(timer);
    };
  });
  return left;
}

export function secondsLeft(seconds: number, at: number, now: number): number {
  return Math.max(0, Math.ceil(seconds - (now - at) / 1000));
}

/** As clocks write it: 4:05, or 1:00:00. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = `${whole % 60}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${`${minutes}`.padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
