import { closeSync, openSync, readSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const DT = { null: 0n, strtab: 5n, rpath: 15n, runpath: 29n };
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const originPath = '$ORIGIN';

/**
 * Makes a Linux addon search its own folder for libraries. naudiodon is linked with the absolute path of its build
 * folder, which on another machine is missing or has a different library.
 * @param {string} file a 64-bit little-endian ELF file; its search path is rewritten in place
 * @returns {string} the previous search path
 */
export const setOriginLibraryPath = (file) => {
  const elf = readFileSync(file);
  const { offset, length } = searchPathIn(elf, file);
  const before = elf.toString('latin1', offset, offset + length);
  if (before === originPath) return before;
  if (length < originPath.length) throw new Error(`${file} has no room for a new search path`);
  elf.fill(0, offset, offset + length);
  elf.write(originPath, offset, 'latin1');
  writeFileSync(file, elf);
  return before;
};

/**
 * @param {Buffer} elf
 * @param {string} file for messages
 * @returns {{ offset: number, length: number }} the bytes of the search path in the file
 */
const searchPathIn = (elf, file) => {
  if (elf.toString('latin1', 0, 6) !== '\u007fELF\u0002\u0001') {
    throw new Error(`${file} is not a 64-bit ELF file`);
  }
  const segments = programHeaders(elf);
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  const entries = dynamic === undefined ? [] : dynamicEntries(elf, dynamic);
  const table = entries.find(({ tag }) => tag === DT.strtab);
  const path = entries.find(({ tag }) => tag === DT.runpath || tag === DT.rpath);
  if (table === undefined || path === undefined) throw new Error(`${file} has no search path`);
  const segment = segments.find(
    ({ type, address, size }) =>
      type === PT_LOAD && table.value >= address && table.value < address + size,
  );
  if (segment === undefined) throw new Error(`${file} has no string table`);
  const offset = Number(table.value - segment.address + segment.offset + path.value);
  return { offset, length: elf.indexOf(0, offset) - offset };
};

/** @param {Buffer} elf */
const programHeaders = (elf) => {
  const start = Number(elf.readBigUInt64LE(0x20));
  const size = elf.readUInt16LE(0x36);
  return Array.from({ length: elf.readUInt16LE(0x38) }, (_, index) => {
    const at = start + index * size;
    return {
      type: elf.readUInt32LE(at),
      offset: elf.readBigUInt64LE(at + 8),
      address: elf.readBigUInt64LE(at + 16),
      size: elf.readBigUInt64LE(at + 32),
    };
  });
};

/**
 * @param {Buffer} elf
 * @param {{ offset: bigint, size: bigint }} segment
 */
const dynamicEntries = (elf, { offset, size }) => {
  const entries = [];
  for (let at = Number(offset); at < Number(offset + size); at += 16) {
    const tag = elf.readBigUInt64LE(at);
    if (tag === DT.null) break;
    entries.push({ tag, value: elf.readBigUInt64LE(at + 8) });
  }
  return entries;
};
