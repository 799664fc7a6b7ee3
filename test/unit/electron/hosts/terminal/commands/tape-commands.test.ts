import { describe, expect, it, vi } from 'vitest';
import { tapeCommand } from '../../../../../../electron/hosts/terminal/commands/tape-command.ts';
import { bufferBase64 } from '../../../../../../electron/platform/system/base64-sha256.ts';
import { repairTape } from '../../../../../../electron/recordings/edit/tape-tools.ts';
import { checkTape } from '../../../../../../electron/recordings/tape/inspect-tape.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { replaySession } from '../../../../../fixtures/replay-tape.ts';
import { storedTape } from '../../../../../fixtures/stored-tape.ts';
import { defaultGatewayOptions } from '../../../../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../../../electron/gateway/in-process-sockets.ts';
import { replayCommand } from '../../../../../../electron/hosts/terminal/commands/replay-command.ts';
import { recordSockets } from '../../../../../../electron/recordings/record/tape-recorder.ts';
import { createVirtualClock } from '../../../../../../electron/recordings/replay/virtual-clock.ts';
import { englishCarryOver } from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakePictures } from '../../../../../fakes/fake-pictures.ts';
import { fakeServerFacts } from '../../../../../fakes/fake-server-facts.ts';
import { fakeSpeech } from '../../../../../fakes/fake-speech.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { sessionCore } from '../../../../../fakes/core-with-fakes.ts';

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
  return { code, ...written };
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
  it('reports a complete tape, with its local time', async () => {
    vi.stubEnv('TZ', 'Asia/Shanghai');
    expect(await run(storedTape('video'), 'check', '/tape')).toEqual({
      code: 0,
      out: 'A talk (video) of 2026-01-02 11:04, 5.5 seconds, complete.\n',
      err: '',
    });
    vi.unstubAllEnvs();
  });

  it('prints no sequence that a terminal executes in place of a time', async () => {
    const files = damage(storedTape('chat'), 'tape.ndjson', (bytes) =>
      new TextEncoder().encode(
        new TextDecoder()
          .decode(bytes)
          .replace(/"recordedAt":"[^"]*"/, '"recordedAt":"\\u001b[2J\\u009b2J"'),
      ),
    );
    const { out } = await run(files, 'check', '/tape');
    expect(out).toMatch(/^A conversation of an unknown time, /);
    const json = await run(files, 'check', '/tape', '--json');
    expect(json.out).toContain('"\\u001b[2J\\u009b2J"');
  });

  it('says that it ignores the ends of a section', async () => {
    const { code, err } = await run(storedTape('chat'), 'check', '/tape', '--to', '1');
    expect({ code, err }).toEqual({
      code: 0,
      err: '--from and --to are ignored: they belong to parley tape cut.\n',
    });
  });

  it('reports damaged and missing files, in words and as JSON', async () => {
    const files = damage(storedTape('video'), 'answer.wav', half);
    files.remove('/tape/frame-0002.jpg');
    const { code, out } = await run(files, 'check', '/tape');
    expect(code).toBe(1);
    expect(out).toContain('damaged after that: parley tape repair saves the rest.');
    expect(out).toContain('/tape/answer.wav is shorter than its recording says.');
    const json = await run(files, 'check', '/tape', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      mode: 'video',
      state: 'damaged',
      damage: 'tapeSoundShort',
      connections: 1,
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

/** Records a talk whose connection is lost during an answer, with another answer after that. */
async function recordTalk() {
  const clock = createVirtualClock();
  const files = new FakeFiles();
  files.putFolder('f');
  const servers = fakeServerFacts();
  const sessions = sessionCore({ clock, files, memory: servers });
  const gateway = openGateway(
    { ...defaultGatewayOptions, faults: [{ kind: 'drop', session: 1, atStep: 5 }] },
    {
      clock,
      random: seeded(7),
      codec: sessions.serverCodec,
      pictures: fakePictures(),
      speech: fakeSpeech,
    },
  );
  const options = { mode: 'audio', settings: {}, dialect: 'unified', chunkMs: 1000 } as const;
  const tape = await sessions.openTape('f/tape', { ...options, endpoint: 'x' }, () => undefined);
  if (!tape.ok) throw new Error(tape.error.code);
  const texts: string[] = [];
  let over = false;
  const sockets = recordSockets(inProcessSockets(gateway, clock), tape.value);
  const talk = sessions.openConversation(
    { ...options, talking: 'open', carryOver: englishCarryOver },
    {
      openSession: (how, emit) => sessions.openSession(how, { sockets, emit }),
      speaker: undefined,
      microphone: undefined,
      emit: (event) => {
        if (event.event === 'text') texts.push(`${event.turn} ${event.text}`);
        if (event.event === 'talk') over = event.state.phase === 'ended';
      },
    },
  );
  const hear = (): void => {
    const speaks = clock.now() % 9000 < 1500;
    talk.pushAudio(new Float32Array(1600).map((_, at) => (speaks ? Math.sin(at / 9) * 0.3 : 0)));
    if (clock.now() < 22_000) clock.after(100, hear);
    else talk.end();
  };
  clock.after(100, hear);
  await clock.run(() => over);
  const endedAt = clock.now();
  await talk.close();
  void gateway.end();
  await tape.value.close();
  return { parley: { ...sessions, files, clock }, texts, endedAt };
}

it('parley replay also plays the session after a lost session', async () => {
  const { parley, texts, endedAt } = await recordTalk();
  expect(texts.at(-1)).toMatch(/^[2-9] /);
  const { terminal, written } = fakeTerminal();
  const code = await replayCommand.run(
    ['f/tape', '--speed', 'max', '--json'],
    terminal,
    () => parley,
  );
  const lines = written.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const replayed = lines.filter(({ event }) => event === 'text');
  expect(replayed.map(({ turn, text }) => `${String(turn)} ${String(text)}`)).toEqual(texts);
  expect(lines.filter(({ event }) => event === 'closed')).toEqual([lines.at(-1)]);
  expect(written.err).toBe(
    'The session ended (connection_lost); the tape continues with the next one.\n',
  );
  // Lines have the times of the tape, even after the loss.
  expect(Math.abs(Number(lines.at(-1)?.['at']) - endedAt)).toBeLessThan(500);
  expect(code).toBe(0);
});

it.each(['--output=f/o.wav', '--captions=f/c.vtt', '--speed=2', '--json'])(
  'a replay in the window refuses %s, which it would ignore',
  async (option) => {
    const { parley } = await recordTalk();
    const replayed = replayCommand.run(
      ['f/tape', '--window', option],
      fakeTerminal().terminal,
      () => parley,
    );
    await expect(replayed).rejects.toMatchObject({
      code: 2,
      message: '--window cannot be combined with --speed, --output, --captions or --json.',
    });
  },
);
