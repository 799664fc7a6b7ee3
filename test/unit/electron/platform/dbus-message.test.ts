import { describe, expect, it } from 'vitest';
import {
  sessionBusSocket,
  decodeMessage,
  encodeCall,
  messageLength,
} from '../../../../electron/platform/dbus/dbus-connection.ts';
import {
  DbusReader,
  type DbusValue,
  dictionaryValue,
  typesIn,
} from '../../../../electron/platform/dbus/dbus-values.ts';
import { seeded } from '../../../fakes/seeded.ts';

const call = {
  destination: 'org.example.Door',
  path: '/org/example',
  interface: 'org.example.Door',
  member: 'Open',
};

function encodeBytes(signature: string, body: readonly DbusValue[]): Buffer {
  return encodeCall({ ...call, signature, body }, 7);
}

describe('a D-Bus message', () => {
  it('is decoded as encoded, for every type that Parley writes', () => {
    const text = (value: string) => ({ signature: 's', value });
    const body: readonly DbusValue[] = [
      'ein Wörtchen 词',
      '/a/path',
      4_000_000_000,
      -70_000,
      true,
      [['push', [['description', text('Talk')]]]],
      [],
      { signature: 'a{sv}', value: [['deep', { signature: 'u', value: 1 }]] },
    ];
    const bytes = encodeBytes('souiba(sa{sv})a{sv}v', body);
    expect(messageLength(bytes)).toBe(bytes.length);
    expect(decodeMessage(bytes)).toEqual({
      type: 'call',
      sender: '',
      path: call.path,
      interface: call.interface,
      member: call.member,
      errorName: '',
      replySerial: 0,
      body,
    });
  });

  it('is decoded in big-endian order too', () => {
    const read = (signature: string, hex: string) =>
      new DbusReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'), false).readAll(signature);
    expect(read('us', '0000002a 00000002 6869 00')).toEqual([42, 'hi']);
    expect(
      read(
        'nqixtdb',
        `fffe 0003 ffffffff ${'f'.repeat(16)} ${'0'.repeat(15)}5`.concat(
          ' 3ff8000000000000 00000001',
        ),
      ),
    ).toEqual([-2, 3, -1, -1n, 5n, 1.5, true]);
  });

  it('tells its length in its first 16 bytes, and is refused if it is longer than any portal sends', () => {
    const bytes = encodeBytes('s', ['word']);
    expect(messageLength(bytes.subarray(0, 15))).toBeUndefined();
    expect(messageLength(bytes.subarray(0, 16))).toBe(bytes.length);
    bytes.writeUInt32LE(1 << 24, 4);
    expect(() => messageLength(bytes)).toThrow(RangeError);
  });

  it('throws a RangeError if it is damaged beyond decoding', () => {
    const bytes = encodeBytes('sa(sa{sv})v', [
      'word',
      [['push', [['description', { signature: 's', value: 'Talk' }]]]],
      { signature: 'u', value: 1 },
    ]);
    const random = seeded(5);
    for (let round = 0; round < 3_000; round += 1) {
      const damaged = Buffer.from(bytes);
      for (let times = 0; times < 3; times += 1) {
        damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      }
      try {
        decodeMessage(damaged);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });

  it('may not nest without limit or hold elements of zero size', () => {
    expect(() => typesIn('a'.repeat(40) + 's')).toThrow(RangeError);
    expect(() => typesIn('a()')).toThrow(RangeError);
    expect(() => typesIn('(s')).toThrow(RangeError);
    const endless = Buffer.concat(Array.from({ length: 100 }, () => Buffer.from('\u0001v\0')));
    expect(() => new DbusReader(endless, true).readAll('v')).toThrow(/nested/);
  });
});

it('a dictionary entry is found by its key, without its variant', () => {
  const dictionary = [['handle', { signature: 's', value: '/session' }]];
  expect(dictionaryValue(dictionary, 'handle')).toBe('/session');
  expect(dictionaryValue(dictionary, 'other')).toBeUndefined();
  expect(dictionaryValue('handle', 'handle')).toBeUndefined();
});

it.each([
  [{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus,guid=ab' }, '/run/user/1/bus'],
  [{ DBUS_SESSION_BUS_ADDRESS: 'tcp:host=a;unix:path=/tmp/with%20space' }, '/tmp/with space'],
  [{ DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=/tmp/x,guid=ab' }, '\0/tmp/x'],
  [{ DBUS_SESSION_BUS_ADDRESS: 'autolaunch:' }, undefined],
  [{ XDG_RUNTIME_DIR: '/run/user/1' }, '/run/user/1/bus'],
  [{}, undefined],
])('the bus of %j is at %j', (environment, socket) => {
  expect(sessionBusSocket(environment)).toBe(socket);
});
