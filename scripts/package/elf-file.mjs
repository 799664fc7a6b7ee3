import { closeSync, openSync, readSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} file
 * @returns {'elf' | 'script' | 'other'}
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

/** @param {string} folder @returns {string[]} programs and libraries */
export const elfFilesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(\.node|\.so(\.\d+)*|^[\w-]+)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => kindOfFile(file) === 'elf');

/** @type {Readonly<Record<number, string>>} ELF machine number to Node's name of the architecture */
const machines = { 0x3e: 'x64', 0xb7: 'arm64', 0x28: 'arm', 0x03: 'ia32', 0x102: 'loong64' };

/**
 * @param {string} file
 * @returns {string} the processor architecture of a program or library; `none` for other files
 */
export const processorOf = (file) => {
  const head = Buffer.alloc(20);
  const handle = openSync(file, 'r');
  const length = readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  if (length < head.length || head.toString('latin1', 0, 4) !== '\u007fELF') return 'none';
  return machines[head.readUInt16LE(18)] ?? 'unknown';
};
