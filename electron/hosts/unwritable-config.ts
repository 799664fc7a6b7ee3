/**
 * Given by the package's `parley`, together with another folder for this one start: where the engine may not write into
 * the folder of settings it ends without a word, and who started it from a menu would never learn why.
 */
const configSwitch = '--unwritable-config=';

/** The folder that may not be written to, where all there is to do is to say so. */
export function unwritableConfig(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.find((word) => word.startsWith(configSwitch))?.slice(configSwitch.length);
}
