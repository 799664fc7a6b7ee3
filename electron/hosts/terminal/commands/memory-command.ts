import { stripControlCharacters, toSafeJson } from '../../../../shared/text.ts';
import type { MemorySentence } from '../../../../shared/memory/memory-view.ts';
import { exitCode, UsageError, type OpenParts, terminalCommand } from '../terminal-command.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import { jsonOption } from '../options/connection-options.ts';

export const memoryCommand = terminalCommand(
  {
    name: 'memory',
    summary: 'list, add and remove what Parley knows of you',
    word: {
      name: 'list|add|remove',
      about: {
        list: 'prints the sentences with their IDs, in the order of the settings',
        add: 'adds SENTENCE at the end',
        remove: 'removes the sentence with the ID SENTENCE permanently',
      },
      missing: 'Name what to do: parley memory list, add or remove.',
    },
    object: {
      name: 'SENTENCE',
      about: 'one short sentence about you, or the ID of one',
      missing: 'Name a sentence.',
      optional: true,
    },
    options: jsonOption,
    notes: ['Exit: 0 done, 2 wrong usage, or the memory cannot be read or changed'],
  },
  async ({ word, object, options: { json } }, { out }, openCore: OpenParts<'memory'>) => {
    if (word === 'list') {
      if (object !== undefined) throw new UsageError(`Unexpected argument "${object}".`);
    } else if (object === undefined) {
      throw new UsageError(
        word === 'add'
          ? 'Write a sentence: parley memory add "I live in Bergen."'
          : 'Name an ID: parley memory remove ID. "parley memory list" prints them.',
      );
    }
    const { memory } = await openCore();
    if (word === 'add') unwrapOrExit(await memory.add(object ?? ''));
    if (word === 'remove') {
      const removed = await memory.remove(object ?? '');
      if (!removed.ok && removed.error.code === 'memoryGone')
        throw new UsageError(`No sentence has the ID ${object}; "parley memory list" prints them.`);
      unwrapOrExit(removed);
    }
    const { sentences, problem } = memory.view;
    if (word === 'list' && problem !== undefined && problem.code !== 'memoryPutAside')
      unwrapOrExit({ ok: false, error: problem });
    const printed = word === 'list' ? sentences : word === 'add' ? sentences.slice(-1) : [];
    for (const each of printed) out(`${json ? toSafeJson(each) : formatSentence(each)}\n`);
    return exitCode.done;
  },
);

function formatSentence({ id, text, on }: MemorySentence): string {
  return `${id}  ${stripControlCharacters(text)}${on ? '' : '  (off)'}`;
}
