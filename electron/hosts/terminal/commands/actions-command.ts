import {
  formatActionFile,
  mergeActions,
  parseActionFile,
} from '../../../../shared/cursor/action-file.ts';
import { writeContent } from '../../../../shared/ports/files.ts';
import { exitCode } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import { type OpenCore, terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';

/** Larger than the largest list of actions. */
const maxFileBytes = 1024 * 1024;

/** Shares the actions of the small window as a file. */
export const actionsCommand = terminalCommand(
  {
    name: 'actions',
    summary: 'export or import the actions for selected text',
    word: {
      name: 'export|import',
      about: {
        export: 'writes the actions to FILE, without their keys',
        import: 'adds the actions of FILE; actions with the same id are replaced',
      },
      missing: 'Name an action: parley actions export or import.',
    },
    object: {
      name: 'FILE',
      about: 'a JSON file with actions',
      missing: 'Name a file: parley actions export FILE.',
      file: true,
    },
    options: {},
    notes: ['Exit: 0 done, 2 wrong usage, or FILE cannot be used'],
  },
  async (
    { word, object },
    { out },
    openCore: OpenCore<Pick<TerminalCore, 'files' | 'settings'>>,
  ) => {
    const { files, settings } = await openCore();
    const { actions } = settings.get().cursor;
    if (word === 'export') {
      unwrapOrExit(await writeContent(files, object, formatActionFile(actions)));
      out(`Exported actions: ${actions.length}\n`);
      return exitCode.done;
    }
    const text = unwrapOrExit(await files.readText(object, maxFileBytes));
    const added = unwrapOrExit(parseActionFile(text), object);
    const merged = unwrapOrExit(mergeActions(actions, added));
    unwrapOrExit(settings.change({ cursor: { actions: merged } }));
    await settings.settled();
    out(`Imported actions: ${added.length}\n`);
    return exitCode.done;
  },
);
