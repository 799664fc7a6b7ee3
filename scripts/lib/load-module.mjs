import { createServer } from 'vite';
import { rootDir } from './root.mjs';

/**
 * Loads a TypeScript module of the tree. The module can import others later, which Vite's `runnerImport` does not allow.
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
