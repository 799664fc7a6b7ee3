/**
 * The environment of the process that asks for the sound devices: all that leads a sound library to its server,
 * which is a name of its own on every system, and no token.
 */
export function soundProbeEnvironment(
  all: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !/token/i.test(entry[0]),
    ),
  );
}

const longestWords = 300;

/** What a library said when it gave up is the last line that it wrote. */
export function lastWordsOf(written: string): string {
  const lines = written.split('\n').map((line) => line.trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, longestWords);
}
