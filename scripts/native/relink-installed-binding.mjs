import { writeStamp } from '../lib/dependencies.mjs';
import { inRoot } from '../lib/root.mjs';
import { relinkBinding } from './compile-parts.mjs';
import { isArchitecture, nativeTarget } from './native-target.mjs';

/**
 * Relinks the installed audio binding before it is packed or tested. A second run changes nothing.
 * @returns {Promise<void>}
 */
export const relinkInstalledBinding = async () => {
  if (process.platform !== 'linux' || !isArchitecture(process.arch)) return;
  const target = nativeTarget(process.arch);
  if ('reason' in target) return;
  if (await relinkBinding(inRoot('node_modules'), target)) writeStamp();
};
