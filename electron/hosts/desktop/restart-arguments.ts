const flag = '--restarted-at=';
const careful = '--safe-start';
/** What had a window may have been unlucky; what never had one is likely to fail the same way again. */
const mostRestarts = { opened: 2, unopened: 1 } as const;
const withinMs = 10 * 60_000;

/**
 * What Parley is started with again after a fault: the same, and when that was, which is how the next
 * one knows. Where no window was reached it is a careful start. Nothing where it was just started again and fails
 * once more: no machine is to do that for ever.
 */
export function restartArguments(
  argv: readonly string[],
  now: number,
  reached: keyof typeof mostRestarts,
): readonly string[] | undefined {
  const recent = restartTimes(argv).filter((at) => Math.abs(now - at) < withinMs);
  if (recent.length >= mostRestarts[reached]) return undefined;
  const again = argv.slice(1).filter((argument) => !argument.startsWith(flag));
  if (reached === 'unopened' && !again.includes(careful)) again.push(careful);
  return [...again, `${flag}${[...recent, now].join(',')}`];
}

export function wasRestarted(argv: readonly string[]): boolean {
  return restartTimes(argv).length > 0;
}

function restartTimes(argv: readonly string[]): readonly number[] {
  const given = argv.find((argument) => argument.startsWith(flag))?.slice(flag.length) ?? '';
  return given.split(',').filter(Boolean).map(Number).filter(Number.isFinite);
}
