import { closeSync, openSync, readSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} file
 * @returns {'elf' | 'script' | 'other'} what a system would run it as
 */
export const kindOfFile = (file) => {
  const head = Buffer.alloc(4);
  const handle = openSync(file, 'r');
  readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  const text = head.toString('latin1');
  if (text === '\u007fELF') return 'elf';
  return text.startsWith('#!') ? 'script' : 'other';
};

/** @param {string} folder @returns {string[]} programs and libraries in it */
export const elfFilesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(\.node|\.so(\.\d+)*|^[\w-]+)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => kindOfFile(file) === 'elf');
