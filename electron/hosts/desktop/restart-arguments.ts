const flag = '--restarted-at=';
const mostRestarts = 2;
const withinMs = 10 * 60_000;

/**
 * What Parley is started with again after a fault: the same, and when that was, which is how the next
 * one knows. Nothing where it was just started again and fails once more: no machine is to do that for ever.
 */
export function restartArguments(
  argv: readonly string[],
  now: number,
): readonly string[] | undefined {
  const recent = restartTimes(argv).filter((at) => Math.abs(now - at) < withinMs);
  if (recent.length >= mostRestarts) return undefined;
  const same = argv.slice(1).filter((argument) => !argument.startsWith(flag));
  return [...same, `${flag}${[...recent, now].join(',')}`];
}

export function wasRestarted(argv: readonly string[]): boolean {
  return restartTimes(argv).length > 0;
}

function restartTimes(argv: readonly string[]): readonly number[] {
  const given = argv.find((argument) => argument.startsWith(flag))?.slice(flag.length) ?? '';
  return given.split(',').filter(Boolean).map(Number).filter(Number.isFinite);
}
