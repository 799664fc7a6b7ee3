import { describe, expect, it } from 'vitest';
import * as app from '../../../../shared/ipc/app-ipc.ts';
import * as audio from '../../../../shared/ipc/audio-ipc.ts';
import { packMessage, unpackMessage } from '../../../../shared/ipc/binary-message.ts';
import * as chat from '../../../../shared/ipc/chat-ipc.ts';
import { isRequestName, requests, snapshotChangedBy } from '../../../../shared/ipc/contract.ts';
import * as cursor from '../../../../shared/ipc/cursor-ipc.ts';
import * as memory from '../../../../shared/ipc/memory-ipc.ts';
import * as model from '../../../../shared/ipc/model-ipc.ts';
import * as recordings from '../../../../shared/ipc/recordings-ipc.ts';
import * as settings from '../../../../shared/ipc/settings-ipc.ts';
import * as talk from '../../../../shared/ipc/talk-ipc.ts';
import * as tools from '../../../../shared/ipc/tools-ipc.ts';
import * as vision from '../../../../shared/ipc/vision-ipc.ts';

const subjects = [
  app,
  audio,
  chat,
  cursor,
  memory,
  model,
  recordings,
  settings,
  talk,
  tools,
  vision,
];

it('the contract contains the requests of every subject, without duplicates', () => {
  const names = subjects.flatMap((subject) => Object.values(subject).flatMap(Object.keys));
  expect(names.toSorted()).toEqual(Object.keys(requests).toSorted());
});

it('the contract accepts only its own names, not those of Object.prototype', () => {
  expect(isRequestName('startTalk')).toBe(true);
  for (const name of ['toString', '__proto__', 'constructor', '', 7, undefined])
    expect(isRequestName(name)).toBe(false);
});

// A page holds a notice back for the one snapshot that it changes.
it('each notice of the contract changes at most one snapshot', () => {
  const names = Object.values(requests).flatMap((request): readonly string[] => request.changedBy);
  expect(new Set(names).size).toBe(names.length);
  expect(snapshotChangedBy('caption')).toBe('talk');
  expect(snapshotChangedBy('level')).toBeUndefined();
});

function packed(message: unknown): Uint8Array {
  const bytes = packMessage(message);
  if (typeof bytes === 'string') throw new Error('The message is text, not bytes.');
  return bytes;
}

/** A message with this head and these bytes. */
function message(head: string, tail: readonly number[] = [], length = head.length): Uint8Array {
  const packed = new Uint8Array(4 + head.length + tail.length);
  new DataView(packed.buffer).setUint32(0, length);
  for (let at = 0; at < head.length; at += 1) packed[4 + at] = head.charCodeAt(at);
  packed.set(tail, 4 + head.length);
  return packed;
}

const head = (message: unknown, parts: unknown): string => JSON.stringify({ message, parts });

describe('a message with bytes', () => {
  it.each([
    ['bytes alone', Uint8Array.of(1, 2, 3)],
    ['no bytes at all', { jpeg: new Uint8Array() }],
    ['bytes in a request', { id: 3, request: 'pushFrame', input: { jpeg: Uint8Array.of(255, 0) } }],
    ['bytes in a list', { list: [{ a: Uint8Array.of(1) }, null, { a: Uint8Array.of(2, 3) }] }],
    ['text of every kind', { name: 'Bildschirm 屏幕 😀 "\\ \u0000', x: Uint8Array.of(9) }],
    ['names of built-in properties', { constructor: Uint8Array.of(7), length: 1 }],
  ])('round-trips: %s', (_what, message) => {
    expect(unpackMessage(packed(message))).toEqual(message);
  });

  it('is read from the middle of a larger buffer', () => {
    const inner = packed({ jpeg: Uint8Array.of(4, 5, 6) });
    const outer = new Uint8Array(inner.length + 20);
    outer.set(inner, 7);
    const found = unpackMessage(outer.subarray(7, 7 + inner.length));
    expect(found).toEqual({ jpeg: Uint8Array.of(4, 5, 6) });
  });

  it('is unpacked without copying its bytes', () => {
    const whole = packed({ jpeg: Uint8Array.of(4, 5, 6) });
    const { jpeg } = unpackMessage(whole) as { readonly jpeg: Uint8Array };
    expect(jpeg.buffer).toBe(whole.buffer);
  });

  it('does not change the packed value', () => {
    const message = { jpeg: Uint8Array.of(1) };
    packMessage(message);
    expect(message).toEqual({ jpeg: Uint8Array.of(1) });
  });
});

it('a message without bytes is text', () => {
  expect(packMessage({ id: 1, input: undefined })).toBe('{"id":1}');
});

describe('a hostile message', () => {
  it.each([
    ['is empty', new Uint8Array()],
    ['is shorter than its prefix', Uint8Array.of(0, 0, 0)],
    ['promises a longer head', message(head({}, []), [], 999)],
    ['promises an endless head', message(head({}, []), [], 0xffffffff)],
    ['is not JSON', message('{')],
    ['is not ASCII', message(head({ a: '\u00e9' }, []))],
    ['has a head of 1 MiB', message(head(' '.repeat(1024 * 1024), []))],
    ['is not an object', message('[]')],
    ['is null', message('null')],
    ['has no parts', message('{"message":{}}')],
    ['has no message', message('{"parts":[]}')],
    ['has invalid parts', message(head({}, [null]))],
    ['has parts in a text', message(head({}, 'x'))],
    ['has too many bytes', message(head({ a: null }, [{ at: ['a'], length: 1 }]), [1, 2])],
    ['has too few bytes', message(head({ a: null }, [{ at: ['a'], length: 3 }]), [1, 2])],
    ['has a part of negative length', message(head({ a: null }, [{ at: ['a'], length: -1 }]))],
    [
      'has a part of fractional length',
      message(head({ a: null }, [{ at: ['a'], length: 0.5 }]), [1]),
    ],
    ['puts bytes in place of a value', message(head({ a: 1 }, [{ at: ['a'], length: 1 }]), [1])],
    ['puts bytes at a missing place', message(head({}, [{ at: ['a'], length: 1 }]), [1])],
    [
      'puts two parts at one place',
      message(
        head({ a: null }, [
          { at: ['a'], length: 1 },
          { at: ['a'], length: 1 },
        ]),
        [1, 2],
      ),
    ],
    [
      'puts a part inside bytes',
      message(
        head({ a: null }, [
          { at: ['a'], length: 1 },
          { at: ['a', '0'], length: 1 },
        ]),
        [1, 2],
      ),
    ],
    [
      'names a prototype',
      message(head({ a: {} }, [{ at: ['a', '__proto__', 'b'], length: 1 }]), [1]),
    ],
    [
      'names a constructor',
      message(head({ a: {} }, [{ at: ['a', 'constructor', 'prototype'], length: 1 }]), [1]),
    ],
    ['names a place by a number', message(head([null], [{ at: [0], length: 1 }]), [1])],
    [
      'nests too deeply',
      message(head([[[[[[[[[null]]]]]]]]], [{ at: Array(9).fill('0'), length: 1 }]), [1]),
    ],
    [
      'has too many parts',
      message(
        head(
          Array(300).fill(null),
          Array.from({ length: 300 }, (_part, at) => ({ at: [`${at}`], length: 0 })),
        ),
      ),
    ],
  ])('is rejected if it %s', (_what, bytes) => {
    expect(unpackMessage(bytes)).toBeUndefined();
  });
});
