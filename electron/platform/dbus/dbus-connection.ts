import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describeError } from '../../../shared/errors/app-error.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { DbusReader, type DbusValue, DbusWriter, isList, asString } from './dbus-values.ts';

interface DbusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly DbusValue[];
}

/** A received message. Missing fields are empty. */
export interface DbusMessage {
  readonly type: 'call' | 'reply' | 'error' | 'signal';
  readonly sender: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly errorName: string;
  readonly replySerial: number;
  readonly body: readonly DbusValue[];
}

/** The interface and member of a signal, because two interfaces may have signals of the same name. */
export function signalName(signal: DbusMessage): string {
  return `${signal.interface}.${signal.member}`;
}

const types: readonly (DbusMessage['type'] | undefined)[] = [
  undefined,
  'call',
  'reply',
  'error',
  'signal',
];
const callType = 1;
const version = 1;
const field = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  sender: 7,
  signature: 8,
} as const;
const fixedHeader = 'yyyyuu';
const fields = 'a(yv)';

export function encodeCall(call: DbusCall, serial: number): Buffer {
  const { signature = '', body = [] } = call;
  const content = new DbusWriter();
  content.writeAll(signature, body);
  const header = new DbusWriter();
  const length = content.bytes.length;
  header.writeAll(fixedHeader + fields, [
    'l'.charCodeAt(0),
    callType,
    0,
    version,
    length,
    serial,
    [
      entry(field.path, 'o', call.path),
      entry(field.interface, 's', call.interface),
      entry(field.member, 's', call.member),
      entry(field.destination, 's', call.destination),
      ...(signature === '' ? [] : [entry(field.signature, 'g', signature)]),
    ],
  ]);
  header.align(8);
  return Buffer.concat([header.bytes, content.bytes]);
}

function entry(code: number, kind: string, value: string): DbusValue {
  return [code, { signature: kind, value }];
}

/** Longer than any message of a portal. */
const maxLength = 1 << 20;
/** The length in bytes of the fixed part and of the number that gives the length of the fields. */
const headLength = 16;

/**
 * The length of the first message in bytes. Undefined until its fixed part is complete. Throws a RangeError if it is
 * too long.
 */
export function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < headLength) return undefined;
  const read = (offset: number): number =>
    isLittleEndian(bytes) ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
  const length = headLength + Math.ceil(read(12) / 8) * 8 + read(4);
  if (length > maxLength) throw new RangeError('a D-Bus message is too long');
  return length;
}

/** Decodes a complete message. Undefined for an unknown type, which the caller skips. */
export function decodeMessage(bytes: Buffer): DbusMessage | undefined {
  const reader = new DbusReader(bytes, isLittleEndian(bytes));
  const [, kind, , , , , entries] = reader.readAll(fixedHeader + fields);
  reader.align(8);
  const type = types[Number(kind)];
  if (type === undefined) return undefined;
  const fieldValues = new Map<DbusValue | undefined, DbusValue>();
  for (const entry of isList(entries) ? entries : []) {
    const [code, variant] = isList(entry) ? entry : [];
    if (typeof variant === 'object' && !isList(variant)) fieldValues.set(code, variant.value);
  }
  const text = (code: number): string => asString(fieldValues.get(code));
  return {
    type,
    sender: text(field.sender),
    path: text(field.path),
    interface: text(field.interface),
    member: text(field.member),
    errorName: text(field.errorName),
    replySerial: Number(fieldValues.get(field.replySerial) ?? 0),
    body: reader.readAll(text(field.signature)),
  };
}

function isLittleEndian(bytes: Buffer): boolean {
  return bytes[0] === 'l'.charCodeAt(0);
}

/** A failed call or connection: the peer's error, a timeout, or a closed connection. */
export class DbusError extends Error {
  /** The error's name on the bus, such as `org.freedesktop.DBus.Error.ServiceUnknown`. Empty if the error came from this side. */
  readonly errorName: string;

  constructor(errorName: string, message: string) {
    super(message === '' ? errorName : message);
    this.errorName = errorName;
  }
}

interface PendingCall {
  readonly resolve: (body: readonly DbusValue[]) => void;
  readonly reject: (error: DbusError) => void;
}

/** A call without a reply fails after this. A working service answers almost at once. */
const timeoutMs = 5_000;

/** A connection to a bus for calls, replies and signals. It serves no calls itself. */
export class DbusConnection {
  readonly #socket: Socket;
  readonly #pending = new Map<number, PendingCall>();
  readonly #listeners = new Set<(signal: DbusMessage) => void>();
  readonly #closed: Promise<unknown>;
  readonly #closeListeners = new Set<() => void>();
  #received = Buffer.alloc(0);
  #serial = 0;
  #name = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('close', () => {
      this.#failAll('the connection to the D-Bus daemon closed');
      for (const notify of this.#closeListeners) notify();
    });
    // An error closes the socket, and `close` reports that.
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  /** Connects and authenticates. Throws a DbusError on failure. */
  static async open(path: string): Promise<DbusConnection> {
    const socket = connect({ path });
    const opened = await withTimeout(timeoutMs, authenticate(socket)).catch((error: unknown) => {
      socket.destroy();
      throw new DbusError('', describeError(error));
    });
    if (opened === timedOut) {
      socket.destroy();
      throw new DbusError('', 'the D-Bus daemon does not answer');
    }
    const bus = new DbusConnection(socket);
    try {
      const [name] = await bus.call(busCall('Hello'));
      bus.#name = asString(name);
    } catch (error) {
      await bus.end();
      throw error;
    }
    return bus;
  }

  /** The unique name of this connection, such as `:1.42`. */
  get name(): string {
    return this.#name;
  }

  /** Calls back when either side closes the connection, or at once if it is closed. */
  onClosed(listener: () => void): void {
    if (this.#socket.closed) listener();
    else this.#closeListeners.add(listener);
  }

  /** Returns the values of the reply. Throws a DbusError on failure. */
  async call(call: DbusCall): Promise<readonly DbusValue[]> {
    this.#serial += 1;
    const serial = this.#serial;
    const reply = new Promise<readonly DbusValue[]>((resolve, reject) => {
      this.#pending.set(serial, { resolve, reject });
      this.#socket.write(encodeCall(call, serial));
      if (this.#socket.destroyed) this.#failAll('the connection to the D-Bus daemon closed');
    });
    const body = await withTimeout(timeoutMs, reply);
    this.#pending.delete(serial);
    if (body === timedOut) throw new DbusError('', `${call.member} timed out`);
    return body;
  }

  async subscribe(rule: string): Promise<void> {
    await this.call({ ...busCall('AddMatch'), signature: 's', body: [rule] });
  }

  onSignal(listener: (signal: DbusMessage) => void): void {
    this.#listeners.add(listener);
  }

  readonly end = async (): Promise<void> => {
    this.#socket.destroy();
    await this.#closed;
  };

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      let length = messageLength(this.#received);
      while (length !== undefined && this.#received.length >= length) {
        const message = decodeMessage(this.#received.subarray(0, length));
        this.#received = this.#received.subarray(length);
        if (message !== undefined) this.#dispatch(message);
        length = messageLength(this.#received);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // After a message that cannot be read, the start of the next one is unknown.
      this.#socket.destroy();
    }
  }

  #dispatch(message: DbusMessage): void {
    if (message.type === 'signal') {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const pending = this.#pending.get(message.replySerial);
    this.#pending.delete(message.replySerial);
    if (message.type === 'reply') pending?.resolve(message.body);
    if (message.type === 'error') {
      pending?.reject(new DbusError(message.errorName, asString(message.body[0])));
    }
  }

  #failAll(reason: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new DbusError('', reason));
  }
}

export function busCall(member: string): DbusCall {
  const name = 'org.freedesktop.DBus';
  return { destination: name, path: '/org/freedesktop/DBus', interface: name, member };
}

/** Authenticates as the user of this process, which the bus verifies through the socket. */
async function authenticate(socket: Socket): Promise<void> {
  await once(socket, 'connect');
  const user = Buffer.from(String(process.getuid?.() ?? '')).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  const line = await readLine(socket);
  if (!line.startsWith('OK '))
    throw new Error(`the D-Bus daemon rejected the authentication: ${line}`);
  // The bus sends nothing before the first call.
  socket.write('BEGIN\r\n');
}

async function readLine(socket: Socket): Promise<string> {
  let text = '';
  while (!text.includes('\r\n')) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    text += bytes.toString('latin1');
    if (text.length > 4096)
      throw new Error('the D-Bus daemon sent an invalid authentication reply');
  }
  return text.trim();
}

/**
 * The socket of the session bus, from an address such as `unix:path=/run/user/1000/bus,guid=…`, or at the default
 * location. Undefined if neither is known.
 */
export function sessionBusSocket(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const address = environment['DBUS_SESSION_BUS_ADDRESS'] ?? '';
  // The default location.
  const folder = environment['XDG_RUNTIME_DIR'] ?? '';
  if (address === '') return folder === '' ? undefined : `${folder}/bus`;
  for (const server of address.split(';')) {
    const [transport, rest = ''] = server.split(':', 2);
    if (transport !== 'unix') continue;
    const options = new Map(rest.split(',').map((option) => parseOption(option)));
    const path = options.get('path');
    if (path !== undefined) return path;
    const abstract = options.get('abstract');
    // Abstract sockets on Linux begin with a zero byte.
    if (abstract !== undefined) return `\0${abstract}`;
  }
  return undefined;
}

function parseOption(option: string): [string, string] {
  const equals = option.indexOf('=');
  if (equals < 0) return [option, ''];
  return [option.slice(0, equals), unescape(option.slice(equals + 1))];
}

function unescape(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
