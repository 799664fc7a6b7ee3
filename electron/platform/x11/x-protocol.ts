import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';

// The few words of X's protocol (version 11) that are needed to hear of a tray. Numbers are written with the
// low byte first, which the first byte of the greeting says.

/** What an X server says after it was greeted: its first part has a length, and the rest follows. */
export const greetingHead = 8;
/** Everything after that: replies, events and errors. */
export const messageHead = 32;

const padded = (length: number): number => Math.ceil(length / 4) * 4;

export function greet({ name, data }: XPermit): Buffer {
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

/** How much of the answer to the greeting comes after its head. */
export function greetingRest(head: Buffer): number {
  return head.readUInt16LE(6) * 4;
}

/** The root window of a screen; undefined where the server lets nobody in, or has no such screen. */
export function rootOf(greeting: Buffer, screen: number): number | undefined {
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

/** Asks for the number of a name; the server makes one where it has none. */
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

/** From now on the window's end is told; of a root window, too, what is announced to all. */
export function hearOf(window: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes[0] = 2;
  bytes.writeUInt16LE(4, 2);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(eventMask, 8);
  bytes.writeUInt32LE(structureNotify, 12);
  return bytes;
}

/** How much comes after a head: only replies and the general event have more, and none that is asked for has much. */
export function messageRest(head: Buffer): number {
  const longer = head[0] === 1 || (head[0] ?? 0) % 128 === 35;
  const rest = longer ? head.readUInt32LE(4) * 4 : 0;
  if (rest > 1024 * 1024) throw new RangeError('a message of the X server is too long');
  return rest;
}

/** What a reply says; nothing in an event or an error. An atom and the owner of a selection stand in the same place. */
export function replyValue(head: Buffer): number | undefined {
  return head[0] === 1 ? head.readUInt32LE(8) : undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where an X server on this machine is spoken to. */
export interface XDisplay {
  readonly socket: string;
  readonly number: number;
  readonly screen: number;
}

/** What an X server lets a program in by; both empty where it asks for nothing. */
export interface XPermit {
  readonly name: string;
  readonly data: Buffer;
}

/** The display that `DISPLAY` names (`:0`, `unix:0`, `:10.1`); undefined where it is none of this machine. */
export function localDisplay(environment: Environment): XDisplay | undefined {
  const found = /^(?:unix)?:(\d{1,5})(?:\.(\d{1,3}))?$/.exec(environment['DISPLAY'] ?? '');
  if (found === null) return undefined;
  const [, number = '', screen = '0'] = found;
  return {
    socket: `/tmp/.X11-unix/X${number}`,
    number: Number(number),
    screen: Number(screen),
  };
}

/** What the session has left for its programs; without it only a server that lets everybody in does. */
export async function permitFor({ number }: XDisplay, environment: Environment): Promise<XPermit> {
  const file = environment['XAUTHORITY'] ?? join(environment['HOME'] ?? homedir(), '.Xauthority');
  const entries = await readFile(file).then(entriesOf, () => []);
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

interface AuthorityEntry extends XPermit {
  readonly family: number;
  readonly address: string;
  readonly number: string;
}

/** As `xauth` writes them: a family, then four fields, each after its length, in the network's order of bytes. */
function entriesOf(file: Buffer): readonly AuthorityEntry[] {
  const entries: AuthorityEntry[] = [];
  let at = 0;
  const field = (): Buffer => {
    const length = file.readUInt16BE(at);
    at += 2 + length;
    if (at > file.length) throw new RangeError('the file ends in the middle of an entry');
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
    // What was cut off says nothing; what stands before it does.
  }
  return entries;
}
