import { ensureBuilt } from './build.mjs';
import { dependencyState, ensureDependencies, relinkInstalledBinding } from './dependencies.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { ensureTestTools } from './test-tools.mjs';

/**
 * Installs and builds the missing parts that Parley needs to run.
 * @param {{ for?: 'run' | 'test', build?: boolean }} [options] `test` also tries to install the programs that only
 *   tests need; `build: false` does not touch `out/`
 * @returns {Promise<void>}
 */
export const prepare = async ({ for: purpose = 'run', build = true } = {}) => {
  const state = dependencyState();
  await ensureSystemPackages({ compile: !state.inOrder });
  const app = async () => {
    await ensureDependencies(state);
    if (purpose === 'test') await relinkInstalledBinding();
    if (build) await ensureBuilt();
  };
  // The system's packages download while npm works.
  await Promise.all([app(), ...(purpose === 'test' ? [ensureTestTools()] : [])]);
};
