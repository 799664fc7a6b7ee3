import { loadSpecs } from '../../electron/hosts/terminal/command-table.ts';

/** What the commands say of themselves; loaded here, since Vite's loader is closed by the time a script could ask. */
export const commandSpecs = await loadSpecs();
