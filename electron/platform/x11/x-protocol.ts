import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';

// The part of the X protocol (version 11) needed to detect a tray. Numbers are little-endian, as the setup
// request declares.

/** Size of the fixed part of the setup reply; it holds the length of the rest. */
export const setupHeadLength = 8;
/** Size of replies, events and errors without extra data. */
export const messageHeadLength = 32;

const padded = (length: number): number => Math.ceil(length / 4) * 4;

export function encodeSetupRequest({ name, data }: XCredentials): Buffer {
  const dataAt = 12 + padded(name.length);
  const bytes = Buffer.alloc(dataAt + padded(data.length));
  bytes.write('l', 0, 'latin1');
  bytes.writeUInt16LE(11, 2);
  bytes.writeUInt16LE(name.length, 6);
  bytes.writeUInt16LE(data.length, 8);
  bytes.write(name, 12, 'latin1');
  data.copy(bytes, dataAt);
  return bytes;
}

export function setupRestLength(head: Buffer): number {
  return head.readUInt16LE(6) * 4;
}

/** The root window of a screen; undefined if the server refuses us or lacks the screen. */
export function findRootWindow(greeting: Buffer, screen: number): number | undefined {
  if (greeting[0] !== 1 || greeting.length < 40) return undefined;
  if (screen >= (greeting[28] ?? 0)) return undefined;
  let at = 40 + padded(greeting.readUInt16LE(24)) + 8 * (greeting[29] ?? 0);
  for (let passed = 0; passed < screen; passed += 1) {
    const depths = greeting[at + 39] ?? 0;
    at += 40;
    for (let depth = 0; depth < depths; depth += 1) at += 8 + 24 * greeting.readUInt16LE(at + 2);
  }
  return greeting.readUInt32LE(at);
}

/** Requests the atom of a name; the server creates it if needed. */
export function internAtom(name: string): Buffer {
  const bytes = Buffer.alloc(8 + padded(name.length));
  bytes[0] = 16;
  bytes.writeUInt16LE(bytes.length / 4, 2);
  bytes.writeUInt16LE(name.length, 4);
  bytes.write(name, 8, 'latin1');
  return bytes;
}

export function getSelectionOwner(atom: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes[0] = 23;
  bytes.writeUInt16LE(2, 2);
  bytes.writeUInt32LE(atom, 4);
  return bytes;
}

const eventMask = 0x8_00;
const structureNotify = 0x2_00_00;

/** Subscribes to the window's destruction, and on a root window to announcements. */
export function subscribeToWindow(window: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes[0] = 2;
  bytes.writeUInt16LE(4, 2);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(eventMask, 8);
  bytes.writeUInt32LE(structureNotify, 12);
  return bytes;
}

/** Length of the extra data. Only replies and generic events have any, and those requested here are short. */
export function messageRestLength(head: Buffer): number {
  const longer = head[0] === 1 || (head[0] ?? 0) % 128 === 35;
  const rest = longer ? head.readUInt32LE(4) * 4 : 0;
  if (rest > 1024 * 1024) throw new RangeError('an X11 message is too long');
  return rest;
}

/** The value of a reply; undefined for events and errors. Atom and selection owner are at the same offset. */
export function replyValue(head: Buffer): number | undefined {
  return head[0] === 1 ? head.readUInt32LE(8) : undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface XDisplay {
  readonly socket: string;
  readonly number: number;
  readonly screen: number;
}

/** Credentials for an X server; both empty if it needs none. */
export interface XCredentials {
  readonly name: string;
  readonly data: Buffer;
}

/** Parses `DISPLAY` (`:0`, `unix:0`, `:10.1`); undefined for a display of another machine. */
export function parseLocalDisplay(environment: Environment): XDisplay | undefined {
  const found = /^(?:unix)?:(\d{1,5})(?:\.(\d{1,3}))?$/.exec(environment['DISPLAY'] ?? '');
  if (found === null) return undefined;
  const [, number = '', screen = '0'] = found;
  return {
    socket: `/tmp/.X11-unix/X${number}`,
    number: Number(number),
    screen: Number(screen),
  };
}

/** Credentials from the session's Xauthority file; without them only an open server accepts us. */
export async function readXCredentials(
  { number }: XDisplay,
  environment: Environment,
): Promise<XCredentials> {
  const file = environment['XAUTHORITY'] ?? join(environment['HOME'] ?? homedir(), '.Xauthority');
  const entries = await readFile(file).then(parseEntries, () => []);
  const found = entries.find(
    (entry) =>
      entry.name === cookie &&
      (entry.number === '' || entry.number === String(number)) &&
      (entry.family === anywhere || (entry.family === local && entry.address === hostname())),
  );
  return found ?? { name: '', data: Buffer.alloc(0) };
}

const cookie = 'MIT-MAGIC-COOKIE-1';
const local = 256;
const anywhere = 65_535;

interface AuthorityEntry extends XCredentials {
  readonly family: number;
  readonly address: string;
  readonly number: string;
}

/** Parses the format of `xauth`: a family, then four fields with length prefixes, in network byte order. */
function parseEntries(file: Buffer): readonly AuthorityEntry[] {
  const entries: AuthorityEntry[] = [];
  let at = 0;
  const field = (): Buffer => {
    const length = file.readUInt16BE(at);
    at += 2 + length;
    if (at > file.length) throw new RangeError('the Xauthority file is truncated');
    return file.subarray(at - length, at);
  };
  try {
    while (at < file.length) {
      const family = file.readUInt16BE(at);
      at += 2;
      const [address, number, name] = [field(), field(), field()].map(String);
      entries.push({
        family,
        address: address ?? '',
        number: number ?? '',
        name: name ?? '',
        data: field(),
      });
    }
  } catch {
    // Keeps the entries before a truncated one.
  }
  return entries;
}
