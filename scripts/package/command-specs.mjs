import { loadSpecs } from '../../electron/hosts/terminal/command-table.ts';

/** Awaited here, because Vite's loader is closed before a script could call `loadSpecs`. */
export const commandSpecs = await loadSpecs();
