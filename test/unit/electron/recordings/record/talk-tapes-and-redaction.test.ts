import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { openResilientRecorder } from '../../../../../electron/recordings/record/resilient-recorder.ts';
import {
  TalkTapes,
  RecentTapeController,
} from '../../../../../electron/recordings/record/talk-tapes.ts';
import { appError, done, failure, type AppError } from '../../../../../shared/errors/app-error.ts';
import { deferred, flushPromises } from '../../../../fakes/promises.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDataFolder } from '../../../../fakes/fake-stores.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { header } from '../tape/recorder-harness.ts';
import { redactLog } from '../../../../../electron/recordings/redact/redact-text.ts';
import { readableShape, redact } from '../../../../fixtures/replay-tape.ts';
import type { DataFolder } from '../../../../../shared/ports/files.ts';
import type { JsonObject } from '../../../../../shared/protocol/json.ts';
import type { TapeEvent } from '../../../../../shared/recordings/tape-event.ts';

const refuse: DataFolder['make'] = () => Promise.resolve(failure('readOnly', { path: '/tapes' }));

/** Closing one of these tapes looks up its folder. The lookup waits until the test resolves `looked`. */
function tapesWithSlowLookup() {
  const looked = deferred();
  const find: DataFolder['find'] = async () => {
    await looked.promise;
    return { ok: true, value: undefined };
  };
  return { ...tapesOn(new FakeFiles(), { find }), looked };
}

function tapesOn(files: FakeFiles, answers: Partial<DataFolder> = {}) {
  return tapesIn(new FakeDataFolder('/tapes'), { files, answers });
}

interface TapesOptions {
  readonly files?: FakeFiles;
  readonly answers?: Partial<DataFolder>;
  readonly keepTapes?: boolean;
}

function tapesIn(
  folder: FakeDataFolder,
  { files = new FakeFiles(), answers = {}, keepTapes = true }: TapesOptions = {},
) {
  const reported: AppError[] = [];
  const tapes = new TalkTapes({
    folder: Object.assign(folder, answers),
    openTape: (folder, facts, onError) =>
      openResilientRecorder(
        folder,
        { ...header, ...facts },
        {
          files,
          clock: new FakeClock(),
          base64: bufferBase64,
          onError,
        },
      ),
    privacy: () => ({ keepTapes }),
    reportError: (error) => reported.push(error),
  });
  return { tapes, reported, codes: () => reported.map(({ code }) => code) };
}

describe('a tape error before its talk is on screen', () => {
  it('is reported after the talk is shown, because a new talk clears older errors', async () => {
    const { tapes, codes } = tapesOn(new FakeFiles(), { make: refuse });
    const tape = await tapes.begin('now', header);
    expect([tape.recorder, codes()]).toEqual([undefined, []]);
    tape.onShown();
    tape.onShown();
    expect(codes()).toEqual(['tapeFailed']);
  });
});

describe('shutting down', () => {
  it('waits for the tape of a talk that was just left', async () => {
    const { tapes, looked } = tapesWithSlowLookup();
    const { finish } = await tapes.begin('now', header);
    const order: string[] = [];
    const finishing = finish().then(() => order.push('finished'));
    await flushPromises();
    const ending = tapes.end().then(() => order.push('ended'));
    await flushPromises();
    expect(order).toEqual([]);
    looked.resolve();
    await Promise.all([finishing, ending]);
    expect(order).toEqual(['finished', 'ended']);
  });

  it('waits for a tape that is being opened, closes it, and opens no other', async () => {
    const files = new FakeFiles();
    const making = deferred();
    const { tapes } = tapesOn(files, { make: () => making.promise.then(() => done) });
    const beginning = tapes.begin('now', header);
    await flushPromises();
    const order: string[] = [];
    const ending = tapes.end().then(() => order.push('ended'));
    await flushPromises();
    making.resolve();
    const { recorder } = await beginning;
    order.push('begun');
    await ending;
    expect([recorder !== undefined, order]).toEqual([true, ['begun', 'ended']]);
    // A tape closed before its first connection has deleted its files.
    expect(files.names().filter((path) => path.startsWith('/tapes/now/'))).toEqual([]);
    expect((await tapes.begin('later', header)).recorder).toBeUndefined();
  });
});

function createManyTapes(): FakeDataFolder {
  const folder = new FakeDataFolder('/tapes');
  for (let n = 0; n < 2000; n += 1) folder.put(`tape-${n}`);
  return folder;
}

it('the start of a talk touches the tapes folder only to record, and lists no other tape', async () => {
  const folder = createManyTapes();
  expect((await tapesIn(folder, { keepTapes: false }).tapes.begin('now', header)).recorder).toBe(
    undefined,
  );
  expect(folder.calls).toEqual([]);
  const tape = await tapesIn(folder).tapes.begin('now', header);
  await tape.finish();
  expect([folder.calls, folder.inspectedItems]).toEqual([['make', 'find'], 0]);
});

it('a tape that is being recorded is neither listed, found nor deleted', async () => {
  const folder = new FakeDataFolder('/tapes');
  for (const name of ['now', 'old']) folder.put(name);
  const { tapes } = tapesIn(folder);
  const { finish } = await tapes.begin('now', header);
  const old = { name: 'old', bytes: 1, changedAt: 0 };
  expect(await tapes.list()).toEqual({ ok: true, value: [old] });
  expect([await tapes.find('now'), await tapes.find('old')]).toEqual([
    done,
    { ok: true, value: old },
  ]);
  expect([tapes.isRecording('now'), tapes.isRecording('old')]).toEqual([true, false]);
  expect(await tapes.remove('now')).toEqual(failure('tapeInUse'));
  expect(await tapes.removeTapesOf('now')).toEqual(failure('tapeInUse'));
  expect([await tapes.names(), tapes.pathOf('old')]).toEqual([
    new Set(['now', 'old']),
    '/tapes/old',
  ]);
  await finish();
  expect([await tapes.remove('now'), await tapes.names()]).toEqual([done, new Set(['old'])]);
  Object.assign(folder, { names: refuse, list: refuse });
  expect([(await tapes.list()).ok, (await tapes.removeTapesOf('old')).ok]).toEqual([false, false]);
  expect(await tapes.names()).toEqual(new Set());
});

it('the tape of an ended talk is listed and deleted, although its talk could continue', async () => {
  const folder = new FakeDataFolder('/tapes');
  for (const name of ['now', 'unreached']) folder.put(name);
  const { tapes } = tapesIn(folder);
  const tape = await tapes.begin('now', header);
  // A talk that never reached its server has nothing to play.
  (await tapes.begin('unreached', header)).setTalking(false);
  tape.recorder?.record({ dir: 'open', connection: 1 });
  tape.setTalking(false);
  const now = { name: 'now', bytes: 1, changedAt: 0 };
  expect([await tapes.list(), await tapes.find('now')]).toEqual([
    { ok: true, value: [now] },
    { ok: true, value: now },
  ]);
  tape.setTalking(true);
  expect([await tapes.list(), await tapes.remove('now')]).toEqual([
    { ok: true, value: [] },
    failure('tapeInUse'),
  ]);
  tape.setTalking(false);
  expect(await tapes.removeTapesOf('now')).toEqual(done);
  expect([await tapes.names(), tapes.isRecording('now')]).toEqual([new Set(['unreached']), false]);
});

it('deleting a talk deletes all its tapes and no others', async () => {
  const folder = new FakeDataFolder('/tapes');
  for (const name of ['a', 'a-2', 'a-3', 'a-b', 'ab', 'b']) folder.put(name);
  const { tapes } = tapesIn(folder);
  expect(await tapes.removeTapesOf('a')).toEqual(done);
  expect(await folder.names()).toEqual({ ok: true, value: ['a-b', 'ab', 'b'] });
});

function openController(holdRecent = true) {
  const written: string[] = [];
  const changes: unknown[] = [];
  const recorded: string[] = [];
  let closed = false;
  let full = false;
  const tapes = new RecentTapeController({
    folder: {
      path: '/tapes',
      make: () => Promise.resolve(done),
      names: () => Promise.resolve({ ok: true, value: written }),
    },
    openBuffer: ({ sound, saved }) => ({
      recorder: {
        record: ({ dir }) =>
          recorded.push(`${dir} in ${sound}, ${saved === true ? 'saved' : 'not saved'}`),
        countAnswer: () => undefined,
        addSound: () => undefined,
        close: () => {
          closed = true;
          return Promise.resolve(done);
        },
      },
      writeTo: (folder) => {
        if (full) return Promise.resolve(failure('diskFull', { path: folder }));
        written.push(folder.slice('/tapes/'.length));
        return Promise.resolve({ ok: true, value: { seconds: 118 } });
      },
    }),
    privacy: () => ({ holdRecent }),
    onChange: (recent) => changes.push(recent),
  });
  return {
    tapes,
    written,
    changes,
    recorded,
    isClosed: () => closed,
    fill: () => {
      full = true;
    },
  };
}

describe('the last two minutes of a running talk', () => {
  it('are not buffered if the user has turned the buffer off, and saving fails with an error', async () => {
    const { tapes, changes } = openController(false);
    expect(tapes.begin('now', header)).toBeUndefined();
    expect(await tapes.keep()).toMatchObject({ ok: false, error: { code: 'recentNotHeld' } });
    expect(changes).toEqual([]);
  });

  it('are saved under the name of the talk, and after another save under a numbered name', async () => {
    const { tapes, written, changes, recorded } = openController();
    tapes.begin('now', header)?.record({ dir: 'open', connection: 1 });
    expect(recorded).toEqual(['open in pcm16, saved']);
    expect(written).toEqual([]);
    // Pressing the key twice saves one tape.
    expect(await Promise.all([tapes.keep(), tapes.keep()])).toEqual([done, done]);
    expect(await tapes.keep()).toEqual(done);
    expect(written).toEqual(['now', 'now-2']);
    expect(changes).toEqual([
      { kind: 'inMemory' },
      { kind: 'stored', path: '/tapes/now', seconds: 118 },
      { kind: 'stored', path: '/tapes/now-2', seconds: 118 },
    ]);
  });

  it('stay buffered after a failed save', async () => {
    const { tapes, changes, fill } = openController();
    tapes.begin('now', header);
    fill();
    expect(await tapes.keep()).toMatchObject({ ok: false, error: { code: 'diskFull' } });
    expect(changes).toEqual([{ kind: 'inMemory' }]);
  });

  it('are discarded when their talk is left, and not when another is', async () => {
    const { tapes, changes, isClosed } = openController();
    const before = tapes.begin('before', header);
    const now = tapes.begin('now', header);
    expect(before).not.toBe(now);
    await tapes.discard('before');
    expect(isClosed()).toBe(false);
    await tapes.discard('now');
    expect(isClosed()).toBe(true);
    expect(changes.at(-1)).toBeUndefined();
    expect(await tapes.keep()).toMatchObject({ error: { code: 'recentNotHeld' } });
  });
});

describe('a redacted log', () => {
  it('contains no name, address, path, word or secret of anyone', () => {
    const log = [
      '2026-11-22T10:00:00.000Z 1 warn: /home/gertrude/Müller/tape cannot be written',
      'wss://box.gertrude.example:8443/talk?key=s3cr3t refused 192.168.17.45 and fe80::12ab:9:1',
      'the server says: “Zdravstvuj Gertrude”, token eyJhbGciOi.J9 and 4915112345678',
      '格特鲁德 said クッキー to gertrude@post.example',
      'streamStopped at streamGertrude',
    ].join('\n');
    const redacted = redactLog(log);
    expect(redacted).toMatch(/^2026-11-22T10:00:00.000Z 1 warn: /u);
    for (const secret of 'gertrude müller 192.168 12ab s3cr3t zdrav eyj 49151'.split(' '))
      expect(redacted.toLowerCase()).not.toContain(secret);
    expect(redacted).not.toMatch(/格|特|ク/u);
    expect(redacted).toContain('cannot be written');
    expect(redacted).toContain('streamStopped at xxxxxxXxxxxxxx');
    expect(redacted.length).toBe(log.length);
  });
});

it('redacted values keep every field and word of tape events', () => {
  const lost = { kind: 'lost', error: appError('tapeLost') } as const;
  const controls = { transmitting: true, passing: true, latched: false, muted: false };
  const events: readonly TapeEvent[] = [
    {
      kind: 'began',
      versions: {},
      talking: 'holdOrTap',
      yielding: 'never',
      reconnects: true,
      handsOver: true,
      microphone: 'a',
      speaker: 'b',
      slices: 1,
      sessionSeconds: 60,
    },
    {
      kind: 'controls',
      controls: { ...controls, talking: 'tap', coughMuted: false, paused: false },
    },
    ...(['nobody', 'you', 'parley', 'both'] as const).map((floor): TapeEvent => ({
      kind: 'floor',
      floor,
    })),
    { kind: 'devices', devices: { microphone: { kind: 'unknown' }, speaker: lost } },
    {
      kind: 'devices',
      devices: {
        microphone: { kind: 'using', device: 'a' },
        speaker: { kind: 'standsIn', device: 'a', missing: 'b' },
      },
    },
    { kind: 'computerSound', on: true },
    { kind: 'heard', turn: 1, samples: 2 },
    ...(['duck', 'restore', 'takesFloor'] as const).map((does): TapeEvent => ({
      kind: 'bargeIn',
      does,
    })),
    { kind: 'gap', from: 1, why: 'diskFull' },
    { kind: 'cut' },
    ...(['open', 'take', 'release', 'drop', 'yield'] as const).map((step): TapeEvent => ({
      kind: 'handOver',
      step,
    })),
    { kind: 'interrupt' },
    { kind: 'end' },
    { kind: 'continue', carry: 'transcript' },
    { kind: 'continue', carry: 'nothing' },
    ...(['sleep', 'wake', 'networkBack'] as const).map((kind): TapeEvent => ({ kind })),
    { kind: 'chance', value: 0.5 },
    { kind: 'lostInSleep' },
  ];
  for (const event of events) {
    const line = JSON.parse(JSON.stringify(event)) as JsonObject;
    expect(readableShape(redact(line))).toEqual(readableShape(line));
  }
});

it('redacted values keep the type of every event that the protocol names', () => {
  const sources = ['client-codec', 'server-codec', 'duplex-tools', 'decode-server-event'].map(
    (name) => readFileSync(`shared/protocol/${name}.ts`, 'utf8'),
  );
  const types = sources.join('').match(/(?<=')(?:response|session|input\w*)\.[\w.]+(?=')/g) ?? [];
  expect(types).toContain('response.tool_call.done');
  for (const type of types) expect(redact({ type })).toEqual({ type });
});

it('redacted values keep the shape of a tool call, and mask its tool and words', () => {
  const definition = {
    type: 'function',
    function: { name: 'dim', description: 'Dims Ann’s lamp.' },
  };
  const frames: readonly JsonObject[] = [
    { type: 'session.queue_done', tools: true },
    { type: 'session.init', payload: { tools: [definition] } },
    {
      type: 'response.tool_call.args.raw',
      tool_call_id: 'a',
      raw: { type: 'function_call', name: 'dim', arguments: '{"lamp":"Ann"}' },
    },
    { type: 'response.tool_call.done', tool_call_id: 'b', call: { name: 'dim', arguments: {} } },
    { type: 'input.tool_result', tool_call_id: 'a', contents: [{ kind: 'text', text: 'Ann' }] },
  ];
  for (const frame of frames) {
    const redacted = redact(frame);
    expect(readableShape(redacted)).toEqual(readableShape(frame));
    expect(JSON.stringify(redacted)).not.toMatch(/Ann|dim/);
  }
});

it.each([
  ['Ann É 42', 'Xxx X 00'],
  ['𠮸守', '𠮷字'],
  ['ひラ', 'あア'],
  ['𝟘𝒜', '𝟎𝐱'],
  // Halves of a letter that two deltas share.
  ['\ud843', '\ud842'],
  ['\udfb8', '\udfb7'],
  ['\ud83d', '\ud835'],
])('redacted values mask the text %j as %j', (text, masked) => {
  expect(
    redact({ text, versions: { parley: '1.2 (a)', 'Ann’s': '1', os: 'Ann’s', n: 1 } }),
  ).toEqual({
    text: masked,
    versions: { parley: '1.2 (a)' },
  });
});

it('redacted values mask unknown field names and words', () => {
  expect(redact({ secret: [5, true, 'Ann', { text: 'Ann' }], session_id: 77 })).toEqual({
    'field-1': [0, true, 'Xxx', { text: 'Xxx' }],
    session_id: 1,
  });
  expect(redact({ password: 'hunter2', type: 'secret', message: 'queue of Ann' })).toEqual({
    'field-1': 'xxxxxx0',
    type: 'xxxxxx',
    message: 'queue xx Xxx',
  });
});
