import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';

// The part of the X protocol (version 11) needed to detect a tray and the active window, to press keys, and to offer a
// text on the clipboard. Numbers are little-endian, as the setup request declares.

/** The length in bytes of the fixed part of the setup reply, which gives the length of the rest. */
export const setupHeadLength = 8;
/** The length in bytes of replies, events and errors without extra data. */
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

export function setupRestLength(header: Buffer): number {
  return header.readUInt16LE(6) * 4;
}

/** The root window of a screen. Undefined if the server refuses the connection or has no such screen. */
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

const sendEvent = 25;

/** Encodes a request of 32-bit values. */
function encodeRequest(opcode: number, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * values.length);
  bytes[0] = opcode;
  bytes.writeUInt16LE(bytes.length / 4, 2);
  for (const [n, value] of values.entries()) bytes.writeUInt32LE(value, 4 + 4 * n);
  return bytes;
}

function encodeNameRequest(opcode: number, name: string): Buffer {
  const bytes = Buffer.alloc(8 + padded(name.length));
  bytes[0] = opcode;
  bytes.writeUInt16LE(bytes.length / 4, 2);
  bytes.writeUInt16LE(name.length, 4);
  bytes.write(name, 8, 'latin1');
  return bytes;
}

/** Requests the atom of a name. The server creates it if needed. */
export function internAtom(name: string): Buffer {
  return encodeNameRequest(16, name);
}

export function getSelectionOwner(atom: number): Buffer {
  return encodeRequest(23, atom);
}

const eventMask = 0x8_00;
const structureNotify = 0x2_00_00;

/** Subscribes to the window's destruction, and on a root window to announcements. */
export function subscribeToWindow(window: number): Buffer {
  return encodeRequest(2, window, eventMask, structureNotify);
}

const anyType = 0;
/** The longest property to read, in units of four bytes. Titles, classes and lists of windows are shorter. */
const maxProperty = 4096;

export function getProperty(window: number, atom: number): Buffer {
  return encodeRequest(20, window, atom, anyType, 0, maxProperty);
}

/** The bytes of a property. Empty if the window has no such property. */
export function propertyValue(reply: Buffer): Buffer {
  const unit = (reply[1] ?? 0) / 8;
  return reply.subarray(messageHeadLength, messageHeadLength + reply.readUInt32LE(16) * unit);
}

/**
 * The source of the request is a tool of the user. The window manager would refuse a program that takes the focus by
 * itself.
 */
const sourceUserTool = 2;
const structureEvents = 0x18_00_00;

/** Asks the window manager to give a window the focus. */
export function activateWindow(root: number, window: number, activeAtom: number): Buffer {
  // A client message of 32-bit values.
  const event = [33 | (32 << 8), window, activeAtom, sourceUserTool, 0, 0, 0, 0];
  return encodeRequest(sendEvent, root, structureEvents, ...event);
}

/** Asks whether the server has an extension. `extensionOpcode` reads the reply. */
export function queryExtension(name: string): Buffer {
  return encodeNameRequest(98, name);
}

export function extensionOpcode(reply: Buffer): number | undefined {
  return reply[8] === 1 ? reply[9] : undefined;
}

const firstKeycode = 8;
const keycodes = 248;

export function getKeyboardMapping(): Buffer {
  return Buffer.from([101, 0, 2, 0, firstKeycode, keycodes, 0, 0]);
}

/** The keycodes that give a keysym, with any modifier or layout. */
export function keycodesOf(mapping: Buffer, keysym: number): readonly number[] {
  const columns = mapping[1] ?? 0;
  const rows = (mapping.length - messageHeadLength) / 4 / Math.max(1, columns);
  return Array.from({ length: rows }, (_, row) => row).flatMap((row) => {
    const offset = messageHeadLength + 4 * row * columns;
    const keysyms = Array.from({ length: columns }, (_, n) => mapping.readUInt32LE(offset + 4 * n));
    return keysyms.includes(keysym) ? [firstKeycode + row] : [];
  });
}

export function queryKeymap(): Buffer {
  return Buffer.from([44, 0, 1, 0]);
}

export function isKeyDown(keymap: Buffer, keycode: number): boolean {
  return (((keymap[8 + (keycode >> 3)] ?? 0) >> (keycode & 7)) & 1) === 1;
}

/** Presses or releases a key with the XTEST extension, as if the user did. */
export function fakeKey(opcode: number, keycode: number, isDown: boolean): Buffer {
  const bytes = encodeRequest(opcode, (isDown ? 2 : 3) | (keycode << 8), 0, 0, 0, 0, 0, 0, 0);
  bytes[1] = 2;
  return bytes;
}

/** Takes a chord from every other program while this client is connected. Fails if another client has it. */
export function grabKey(root: number, modifiers: number, keycode: number): Buffer {
  // Modes of pointer and keyboard: asynchronous, so that both go on working.
  const [pointerMode, keyboardMode] = [1, 1];
  const chord = modifiers | (keycode << 16) | (pointerMode << 24);
  return encodeRequest(33, root, chord, keyboardMode);
}

/** The first id that this client may give to a window. */
export function firstResourceId(greeting: Buffer): number {
  return greeting.readUInt32LE(12);
}

/** Creates a window that is never shown, to own a selection. */
export function createHiddenWindow(id: number, root: number): Buffer {
  // A size of one pixel, for input only.
  return encodeRequest(1, id, root, 0, 1 | (1 << 16), 2 << 16, 0, 0);
}

export function setSelectionOwner(owner: number, selection: number): Buffer {
  return encodeRequest(22, owner, selection, 0);
}

/** The request of another program for the selection. */
export interface SelectionRequest {
  readonly time: number;
  readonly requestor: number;
  readonly selection: number;
  readonly target: number;
  readonly property: number;
}

export function selectionRequest(event: Buffer): SelectionRequest | undefined {
  if ((event[0] ?? 0) % 128 !== 30) return undefined;
  const target = event.readUInt32LE(20);
  return {
    time: event.readUInt32LE(4),
    requestor: event.readUInt32LE(12),
    selection: event.readUInt32LE(16),
    target,
    // Old programs name no property. Then the target names the property, too.
    property: event.readUInt32LE(24) === 0 ? target : event.readUInt32LE(24),
  };
}

export function changeProperty(
  window: number,
  property: number,
  value: { readonly type: number; readonly format: 8 | 32; readonly data: Buffer },
): Buffer {
  const { type, format, data } = value;
  const bytes = Buffer.alloc(24 + padded(data.length));
  bytes[0] = 18;
  bytes.writeUInt16LE(bytes.length / 4, 2);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(property, 8);
  bytes.writeUInt32LE(type, 12);
  bytes[16] = format;
  bytes.writeUInt32LE(data.length / (format / 8), 20);
  data.copy(bytes, 24);
  return bytes;
}

/** Tells a program that its property has the selection, or that the selection is not available in that format. */
export function answerSelection(request: SelectionRequest, isGiven: boolean): Buffer {
  const { time, requestor, selection, target, property } = request;
  const event = [31, time, requestor, selection, target, isGiven ? property : 0, 0, 0];
  return encodeRequest(sendEvent, requestor, 0, ...event);
}

/**
 * The length of the extra data in bytes. Only replies and generic events have any, and those requested here are short.
 */
export function messageRestLength(header: Buffer): number {
  const hasExtraData = header[0] === 1 || (header[0] ?? 0) % 128 === 35;
  const rest = hasExtraData ? header.readUInt32LE(4) * 4 : 0;
  if (rest > 1024 * 1024) throw new RangeError('an X11 message is too long');
  return rest;
}

/** The atom or selection owner in a reply, which are at the same offset. Undefined for events and errors. */
export function replyValue(header: Buffer): number | undefined {
  return header[0] === 1 ? header.readUInt32LE(8) : undefined;
}

/** The environment variables of the process, which name the display and its key. */
export type XEnvironment = Readonly<Record<string, string | undefined>>;

export interface XDisplay {
  readonly socket: string;
  readonly number: number;
  readonly screen: number;
}

/** Credentials for an X server. Both are empty if it needs none. */
export interface XCredentials {
  readonly name: string;
  readonly data: Buffer;
}

/** Parses `DISPLAY` (`:0`, `unix:0`, `:10.1`). Undefined for a display of another machine. */
export function parseLocalDisplay(environment: XEnvironment): XDisplay | undefined {
  const found = /^(?:unix)?:(\d{1,5})(?:\.(\d{1,3}))?$/.exec(environment['DISPLAY'] ?? '');
  if (found === null) return undefined;
  const [, number = '', screen = '0'] = found;
  return {
    socket: `/tmp/.X11-unix/X${number}`,
    number: Number(number),
    screen: Number(screen),
  };
}

/** Reads the credentials from the session's Xauthority file. Without them, only an open server accepts Parley. */
export async function readXCredentials(
  { number }: XDisplay,
  environment: XEnvironment,
): Promise<XCredentials> {
  const file = environment['XAUTHORITY'] ?? join(environment['HOME'] ?? homedir(), '.Xauthority');
  const entries = await readFile(file).then(parseEntries, () => []);
  const found = entries.find(
    (entry) =>
      entry.name === cookieName &&
      (entry.number === '' || entry.number === String(number)) &&
      (entry.family === anyFamily ||
        (entry.family === localFamily && entry.address === hostname())),
  );
  return found ?? { name: '', data: Buffer.alloc(0) };
}

const cookieName = 'MIT-MAGIC-COOKIE-1';
const localFamily = 256;
const anyFamily = 65_535;

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
    // The entries before a truncated one are kept.
  }
  return entries;
}
