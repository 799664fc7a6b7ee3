const key = 'parley.recent-talks';

/** How many talks the idle screen listed the last time; of what was said nothing is kept here. */
export function expectedRecents(): number {
  const stored = Number(localStorage.getItem(key));
  return Number.isInteger(stored) && stored > 0 ? Math.min(stored, most) : 0;
}

export function expectRecents(count: number): void {
  if (count === expectedRecents()) return;
  localStorage.setItem(key, String(count));
}

const most = 3;
