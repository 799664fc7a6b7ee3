import type { Outcome } from '../../../shared/errors/app-error.ts';
import { cleanResponse } from '../tool-response.ts';
import type { Tool } from '../tool.ts';
import { answer, ownTool, textArgument } from './own-tool.ts';

/** Files and folders that the user shared. A link that leads out of them is refused. */
export interface SharedFiles {
  readonly readText: (path: string, maxBytes: number) => Promise<Outcome<string>>;
  /** Names in a folder; those of folders end in a slash. */
  readonly list: (path: string, maxNames: number) => Promise<Outcome<readonly string[]>>;
}

/** Limits, more than the model can read. */
const maxBytes = 256 * 1024;
const maxNames = 500;

const words = [
  'file folder read open document text list directory path',
  '文件 文件夹 读取 打开 文档 目录 看看',
];

/** Tools that read files and folders which the user shared in Settings. */
export function fileTools(
  files: SharedFiles,
  sharedPlaces: () => readonly string[],
): readonly Tool[] {
  return [
    ownTool({
      name: 'read_file',
      description: 'Reads a text file that the user shared, or that is in a shared folder.',
      properties: { path: { type: 'string', description: 'the full path' } },
      required: ['path'],
      words,
      run: async (args) => {
        const read = await files.readText(textArgument(args, 'path'), maxBytes);
        return read.ok ? answer(cleanResponse(read.value)) : read;
      },
    }),
    ownTool({
      name: 'list_files',
      description: 'Lists a shared folder. Without a path it lists what the user shared.',
      properties: { path: { type: 'string', description: 'the full path' } },
      words,
      run: async (args) => {
        const path = textArgument(args, 'path');
        if (path === '') {
          const shared = sharedPlaces();
          return answer(shared.length === 0 ? 'The user shared no files.' : shared.join('\n'));
        }
        const names = await files.list(path, maxNames);
        return names.ok ? answer(names.value.join('\n') || 'The folder is empty.') : names;
      },
    }),
  ];
}
