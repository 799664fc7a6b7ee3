import { DbusReader, type DbusValue, DbusWriter, isList, asString } from './dbus-values.ts';

export interface DbusCall {
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
