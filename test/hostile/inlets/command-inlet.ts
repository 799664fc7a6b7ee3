import { loadSpecs } from '../../../electron/hosts/terminal/command-table.ts';
import { UsageError, readArguments } from '../../../electron/hosts/terminal/terminal-command.ts';
import type { Inlet } from '../inlet.ts';

const { own, remote } = await loadSpecs();
const specs = [...own, ...remote];

/** Parses each command's arguments with the text as an argument, as an option, and as each option's value. */
export const commandInlet: Inlet = {
  name: 'the command line',
  samples: ['hello', '--url', '--json'],
  open: (text) => {
    const read: unknown[] = [];
    let refused: UsageError | undefined;
    for (const spec of specs) {
      const options = Object.keys(spec.options).map((name) => [`--${name}=${text}`]);
      for (const args of [[text], [`--${text}`], ['--', text], ...options]) {
        try {
          read.push(readArguments(spec, args));
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          refused = error;
        }
      }
    }
    if (read.length === 0 && refused !== undefined) throw refused;
    return read.length;
  },
};
