/** Why Parley cannot open at all, where the engine would end without a word. */
export type StartRefusal =
  | { readonly kind: 'config'; readonly folder: string }
  | { readonly kind: 'sandbox'; readonly refused: 'root' | 'kernel' };

/**
 * Given by the package's `parley`, which looks before the engine does, together with what lets this one start show a box:
 * who started it from a menu would never learn why.
 */
const configSwitch = '--unwritable-config=';
const sandboxSwitches = [
  ['--sandbox-not-for-root', 'root'],
  ['--sandbox-refused', 'kernel'],
] as const;

/** Where all there is to do is to say so. */
export function startRefusal(argv: readonly string[]): StartRefusal | undefined {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const folder = own.find((word) => word.startsWith(configSwitch))?.slice(configSwitch.length);
  if (folder !== undefined) return { kind: 'config', folder };
  const sandbox = sandboxSwitches.find(([word]) => own.includes(word));
  return sandbox && { kind: 'sandbox', refused: sandbox[1] };
}
