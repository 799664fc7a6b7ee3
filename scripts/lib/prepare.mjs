import { ensureBuilt } from './build.mjs';
import { dependencyState, ensureDependencies } from './dependencies.mjs';
import { linkBindingHere } from '../native/link-binding-here.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { ensureTestTools } from './test-tools.mjs';

/**
 * Brings a fresh checkout to where Parley can run; a second time it only looks.
 * @param {{ for?: 'run' | 'test', build?: boolean }} [options] `test` also tries for a Chromium
 *   and a virtual screen; `build: false` leaves `out/` alone
 * @returns {Promise<void>}
 */
export const prepare = async ({ for: purpose = 'run', build = true } = {}) => {
  const state = dependencyState();
  await ensureSystemPackages({ compile: !state.inOrder });
  const app = async () => {
    await ensureDependencies(state);
    if (purpose === 'test') await linkBindingHere();
    if (build) await ensureBuilt();
  };
  // The system's packages are fetched while npm works.
  await Promise.all([app(), ...(purpose === 'test' ? [ensureTestTools()] : [])]);
};
