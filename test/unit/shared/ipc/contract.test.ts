import { expect, it } from 'vitest';
import * as app from '../../../../shared/ipc/app-ipc.ts';
import * as audio from '../../../../shared/ipc/audio-ipc.ts';
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

it('the contract accepts own property names only', () => {
  expect(isRequestName('startTalk')).toBe(true);
  for (const name of ['toString', '__proto__', 'constructor', '', 7, undefined])
    expect(isRequestName(name)).toBe(false);
});

// A page holds a notice back for the one snapshot that it changes.
it('no notice of the contract changes two snapshots', () => {
  const names = Object.values(requests).flatMap((request): readonly string[] => request.changedBy);
  expect(new Set(names).size).toBe(names.length);
  expect(snapshotChangedBy('caption')).toBe('talk');
  expect(snapshotChangedBy('level')).toBeUndefined();
});
