/** Given by the `parley` that a package puts on the PATH; the engine's own switches stand around it. */
const commandFlag = '--command';

/**
 * What a person has typed after `parley`, where the program itself is to run a command. It stands behind a `--`, so
 * that no option of a command is taken for one of the engine's.
 */
export function commandWords(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf('--');
  if (end === -1 || !argv.slice(1, end).includes(commandFlag)) return undefined;
  return argv.slice(end + 1);
}
