import { readFileSync, writeFileSync } from 'node:fs';

const DT = { null: 0n, strtab: 5n, rpath: 15n, runpath: 29n };
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const BESIDE = '$ORIGIN';

/**
 * Makes a Linux addon look for its libraries in its own folder. naudiodon is linked with the
 * absolute path of the folder it was built in, which on another machine names nothing, or worse,
 * somebody else's library.
 * @param {string} file a 64-bit little-endian ELF file; its search path is rewritten in place
 * @returns {string} the search path it had
 */
export const lookBesideItself = (file) => {
  const elf = readFileSync(file);
  const { offset, length } = searchPathIn(elf, file);
  const before = elf.toString('latin1', offset, offset + length);
  if (before === BESIDE) return before;
  if (length < BESIDE.length) throw new Error(`${file} has no room for a new search path`);
  elf.fill(0, offset, offset + length);
  elf.write(BESIDE, offset, 'latin1');
  writeFileSync(file, elf);
  return before;
};

/**
 * @param {Buffer} elf
 * @param {string} file for messages
 * @returns {{ offset: number, length: number }} where the text stands
 */
const searchPathIn = (elf, file) => {
  if (elf.toString('latin1', 0, 6) !== '\u007fELF\u0002\u0001') {
    throw new Error(`${file} is no 64-bit ELF file`);
  }
  const segments = programHeaders(elf);
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  const entries = dynamic === undefined ? [] : dynamicEntries(elf, dynamic);
  const table = entries.find(({ tag }) => tag === DT.strtab);
  const path = entries.find(({ tag }) => tag === DT.runpath || tag === DT.rpath);
  if (table === undefined || path === undefined) throw new Error(`${file} has no search path`);
  const home = segments.find(
    ({ type, address, size }) =>
      type === PT_LOAD && table.value >= address && table.value < address + size,
  );
  if (home === undefined) throw new Error(`${file} has no text table`);
  const offset = Number(table.value - home.address + home.offset + path.value);
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
