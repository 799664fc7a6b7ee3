import { describe, expect, it } from 'vitest';
import { tapeCommand } from '../../../../../../electron/hosts/terminal/commands/tape-command.ts';
import { bufferBase64 } from '../../../../../../electron/platform/system/base64-sha256.ts';
import { repairTape } from '../../../../../../electron/recordings/edit/tape-tools.ts';
import { checkTape } from '../../../../../../electron/recordings/tape/inspect-tape.ts';
import type { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { replaySession } from '../../../../../fixtures/replay-tape.ts';
import { storedTape } from '../../../../../fixtures/stored-tape.ts';

async function run(files: FakeFiles, ...args: readonly string[]) {
  const { terminal, written } = fakeTerminal();
  const code = await tapeCommand.run(args, terminal, () => ({
    openExport: () => Promise.reject(new Error('nothing is exported here')),
    tapeTools: () =>
      Promise.resolve({
        check: (folder) => checkTape(folder, { files }),
        cut: () => Promise.reject(new Error('nothing is cut here')),
        redact: () => Promise.reject(new Error('nothing is redacted here')),
        repair: (folder, into) => repairTape(folder, into, { files, base64: bufferBase64 }),
      }),
  }));
  return { code, out: written.out };
}

/** The events of a replay, with sound as text, which compares faster. */
async function replayEvents(folder: string, files: FakeFiles) {
  const events = await replaySession(folder, files, 1);
  return events.map(([at, event]) => {
    if (event.event !== 'audio') return [at, event];
    const { buffer, byteOffset, byteLength } = event.audio;
    return [at, event.turn, Buffer.from(buffer, byteOffset, byteLength).toString('base64')];
  });
}

const damage = (files: FakeFiles, file: string, change: (bytes: Uint8Array) => Uint8Array) => {
  files.put(`/tape/${file}`, change(files.bytes(`/tape/${file}`)));
  return files;
};
const half = (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2);

describe('parley tape check', () => {
  it('reports a complete tape', async () => {
    expect(await run(storedTape('video'), 'check', '/tape')).toEqual({
      code: 0,
      out: 'A talk (video) of 2026-01-02T03:04:05.000Z, 5.5 seconds, complete.\n',
    });
  });

  it('reports damaged and missing files, in words and as JSON', async () => {
    const files = damage(storedTape('video'), 'answer.wav', half);
    files.remove('/tape/frame-0002.jpg');
    const { code, out } = await run(files, 'check', '/tape');
    expect(code).toBe(1);
    expect(out).toContain('damaged after that: parley tape repair saves the rest.');
    expect(out).toContain('/tape/answer.wav is shorter than its tape says.');
    const json = await run(files, 'check', '/tape', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      mode: 'video',
      state: 'damaged',
      damage: 'tapeSoundShort',
      connections: 1,
    });
  });

  it('accepts a tape whose recorder was stopped', async () => {
    const files = damage(storedTape('legacy'), 'tape.ndjson', half);
    const { code, out } = await run(files, 'check', '/tape');
    expect({
      code,
      says: out.includes('complete, but ends before its talk did.\nIts recorder was stopped'),
    }).toEqual({
      code: 0,
      says: true,
    });
  });

  it('exits with 1 for a tape that cannot be played, and with 2 for a path without a tape', async () => {
    const cut = damage(storedTape('chat'), 'tape.ndjson', (bytes) => bytes.slice(0, 30));
    await expect(run(cut, 'check', '/tape')).rejects.toMatchObject({ code: 1 });
    await expect(run(cut, 'check', '/elsewhere')).rejects.toMatchObject({ code: 2 });
  });
});

describe('parley tape repair', () => {
  it.each([
    { what: 'a damaged line', file: 'tape.ndjson', at: 0.6 },
    { what: 'short sound', file: 'answer.wav', at: 0.5 },
    { what: 'a short microphone', file: 'microphone.wav', at: 0.3 },
  ])(
    'makes a copy of a tape with $what that can be played, and leaves the original',
    async ({ file, at }) => {
      const files = storedTape('audio-interrupted');
      files.put('/notes', '');
      damage(files, file, (bytes) =>
        file === 'tape.ndjson'
          ? bytes.with(Math.floor(bytes.length * at), 0)
          : bytes.slice(0, bytes.length * at),
      );
      const before = new Map(files.names().map((name) => [name, files.bytes(name)]));
      const { code, out } = await run(files, 'repair', '/tape/');
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringMatching(/^\/tape-repaired was created: \d+\.\d seconds\.\n$/) as string,
      });
      for (const [name, bytes] of before)
        expect(Buffer.from(files.bytes(name)).equals(bytes)).toBe(true);
      expect(await run(files, 'check', '/tape-repaired')).toMatchObject({ code: 0 });
      const [original, repaired] = [
        await replayEvents('/tape', files),
        await replayEvents('/tape-repaired', files),
      ];
      expect(repaired).toEqual(original);
      expect(repaired.length).toBeGreaterThan(5);
    },
  );

  it('replaces a missing picture with a grey one', async () => {
    const files = storedTape('video');
    files.remove('/tape/frame-0001.jpg');
    expect(await run(files, 'repair', '/tape', '--output', '/new')).toMatchObject({ code: 0 });
    expect(files.bytes('/new/frame-0001.jpg').slice(0, 3)).toEqual(new Uint8Array([255, 216, 255]));
    expect(files.bytes('/new/frame-0002.jpg')).toEqual(files.bytes('/tape/frame-0002.jpg'));
    expect(await run(files, 'check', '/new')).toMatchObject({ code: 0 });
  });

  it('refuses a tape without damage and a folder in use', async () => {
    const files = storedTape('chat');
    await expect(run(files, 'repair', '/tape')).rejects.toMatchObject({
      code: 2,
      message: '/tape is undamaged: there is nothing to repair.',
    });
    damage(files, 'tape.ndjson', half);
    await expect(run(files, 'repair', '/tape', '--output', '/tape')).rejects.toMatchObject({
      code: 2,
      message: '/tape already holds something: choose a new or an empty folder.',
    });
  });
});
