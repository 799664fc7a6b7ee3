import { createServer } from 'vite';
import { rootDir } from './root.mjs';

/**
 * Loads TypeScript of the tree. It may load more for as long as the process runs, which Vite's `runnerImport` refuses
 * once it has returned.
 * @template Module
 * @param {string} file
 * @returns {Promise<Module>}
 */
export const loadModule = async (file) => {
  const server = await createServer({
    root: rootDir,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  });
  process.once('beforeExit', () => void server.close());
  return /** @type {Module} */ (await server.ssrLoadModule(file));
};
