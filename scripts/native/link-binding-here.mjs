import { writeStamp } from '../lib/dependencies.mjs';
import { inRoot } from '../lib/root.mjs';
import { linkBindingAnew } from './compile-parts.mjs';
import { isArchitecture, nativeTarget } from './native-target.mjs';

/**
 * Before packages are made of it, and before tests begin that load it: the second time nothing changes.
 * @returns {Promise<void>}
 */
export const linkBindingHere = async () => {
  if (process.platform !== 'linux' || !isArchitecture(process.arch)) return;
  const target = nativeTarget(process.arch);
  if ('reason' in target) return;
  if (await linkBindingAnew(inRoot('node_modules'), target)) writeStamp();
};
