import { describe, expect, it, vi } from 'vitest';
import {
  defaultGatewayOptions,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { rerunCommand } from '../../electron/hosts/terminal/commands/rerun-command.ts';
import type { ExitCode } from '../../electron/hosts/terminal/terminal-command.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { decodePictures, listEvents } from '../../electron/recordings/replay/tape-lines.ts';
import { createVirtualClock } from '../../electron/recordings/replay/virtual-clock.ts';
import type { Tape } from '../../electron/recordings/tape/tape.ts';
import type { Files } from '../../shared/ports/files.ts';
import type { AppendEvent } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { fakeJpeg, fakePictures } from '../fakes/fake-pictures.ts';
import { fakeSpeech } from '../fakes/fake-speech.ts';
import { fakeTerminal } from '../fakes/fake-terminal.ts';
import { namedServers } from '../fakes/fake-server-facts.ts';
import { seeded } from '../fakes/seeded.ts';
import { sessionCore } from '../fakes/core-with-fakes.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { recordTalk } from '../fixtures/record-talk.ts';
import { putStoredTape, tapeIn } from '../fixtures/stored-tape.ts';

// Talks are simulated and rendered, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const maxMs = 300_000;

/** Runs `parley rerun` against a demonstration on a simulated clock. */
async function rerun(files: Files, args: readonly string[], gateway: Partial<GatewayOptions> = {}) {
  const clock = createVirtualClock();
  const codec = createServerCodec(bufferBase64);
  const server = openGateway(
    { ...defaultGatewayOptions, ...gateway },
    { clock, random: seeded(11), codec, pictures: fakePictures(), speech: fakeSpeech },
  );
  const sessions = sessionCore({ clock, files, random: seeded(2), versions: { Parley: '0.0.0' } });
  // Loads these texts beforehand, because loading them during the simulation would take hours of simulated time.
  await sessions.carryOverMessages();
  const open = () => Promise.resolve({ ok: true, value: inProcessSockets(server, clock) } as const);
  const { computerModel, ...servers } = namedServers();
  const parley = {
    ...sessions,
    ...servers,
    clock,
    files,
    connectTo: () => inProcessSockets(server, clock),
    embeddedGateway: open,
    computerModel: { ...computerModel, load: open },
  };
  const { terminal, written } = fakeTerminal();
  const run: { code?: ExitCode; error?: unknown } = {};
  const over = (): boolean => 'code' in run || 'error' in run;
  void rerunCommand
    .run(args, terminal, () => parley)
    .then(
      (code) => (run.code = code),
      (error: unknown) => (run.error = error),
    );
  // A recorder checks its files as long as it is open, so its timers never run out.
  for (let looks = 0; !over() && clock.now() < maxMs;) {
    await clock.run(() => over() || (looks += 1) % 40 === 0);
    await new Promise(setImmediate);
  }
  void server.end();
  if ('error' in run) throw run.error;
  if (!over()) throw new Error(`The rerun did not end within ${maxMs} ms: ${written.err}`);
  return { code: run.code, ...written, parley, tookMs: clock.now() };
}

const codec = createServerCodec(bufferBase64);
const speaks = (ms: number): boolean => ms % 8000 < 1500;
const fixture = (name: string): string => {
  const folder = workFolder()(name);
  putStoredTape(name, folder);
  return folder;
};

interface SentAppend extends AppendEvent {
  readonly at: number;
}

/** Each append that was sent, with its time. */
function listAppends(tape: Tape): readonly SentAppend[] {
  return tape.lines.flatMap((line) => {
    if (line.dir !== 'out' || !('frame' in line)) return [];
    const text = JSON.stringify(tape.frame(line.frame));
    for (const dialect of ['unified', 'legacy'] as const) {
      const ask = codec.decodeClientEvent(text, dialect);
      if (ask.kind === 'append') return [{ ...ask, at: line.at }];
    }
    return [];
  });
}

const joinSound = (tape: Tape): readonly number[] =>
  listAppends(tape).flatMap(({ audio }) => Array.from(audio));

/** The first samples of a talk, which the transmit gate may fade in. */
const fade = 160;

/** The other tape begins with all speech of the first, except for the gate’s fade-in. */
function repeatsSpeech(one: Tape, other: Tape): boolean {
  const [was, is] = [joinSound(one), joinSound(other)];
  return was.length > fade && was.every((sample, n) => n < fade || sample === is[n]);
}

const actionsOf = (tape: Tape, kind: string) =>
  listEvents(tape.lines).filter(({ event }) => event?.kind === kind);

const findPrompt = (tape: Tape): string =>
  JSON.stringify(tape.lines.find((line) => line.dir === 'out' && 'frame' in line));

async function again(
  files: Files,
  args: readonly string[] = [],
  server?: Parameters<typeof rerun>[2],
) {
  const ran = await rerun(files, ['before', '--tape', 'after', ...args], server);
  return { ...ran, before: await tapeIn('before', files), after: await tapeIn('after', files) };
}

describe('the rerun of a talk', () => {
  it('repeats the speech at the same times, and waits for the last answer', async () => {
    const files = new FakeFiles();
    await recordTalk('before', files, { speaks, actions: [[18_500, (talk) => talk.end()]] });
    const { code, err, out, before, after, parley } = await again(files);
    expect(code).toBe(0);
    expect(err).toContain('10 of 18 s of the tape are sent.');
    expect(out).toContain('I can hear you.');
    expect(repeatsSpeech(before, after)).toBe(true);
    expect(new Set(joinSound(after).slice(joinSound(before).length))).toEqual(new Set([0]));
    const { one, other, latencyRatio } = unwrap(
      await (await parley.tapeTools()).compare('before', 'after'),
    );
    expect(latencyRatio).toBe(1);
    expect(other.answers.map(({ at }) => at)).toEqual(one.answers.map(({ at }) => at));
    // The recording ended during the last answer.
    expect(one.answers.at(-1)?.cut).toBe(true);
    expect(other.answers.at(-1)?.text).toBe('I notice by loudness. You may interrupt me.');
    expect(after.cut).toBe(false);
  });

  it('repeats interruptions, mutes and pauses', async () => {
    const files = new FakeFiles();
    await recordTalk('before', files, {
      speaks: (ms) => ms % 8000 < 2000,
      actions: [
        [4650, (talk) => talk.interrupt()],
        [7000, (talk) => talk.controls.setMuted(true)],
        [9000, (talk) => talk.setPaused(true)],
        [12_000, (talk) => talk.setPaused(false)],
        [12_500, (talk) => talk.controls.setMuted(false)],
        [20_000, (talk) => talk.end()],
      ],
    });
    const { before, after } = await again(files);
    for (const kind of ['interrupt', 'controls']) {
      // Leaves out the controls that the talk sets at its start.
      const [was, is] = [before, after].map((tape) =>
        actionsOf(tape, kind).filter(({ at }) => at > 300),
      ) as [ReturnType<typeof actionsOf>, ReturnType<typeof actionsOf>];
      expect(was.length).toBeGreaterThan(0);
      expect(is.map(({ event }) => event)).toEqual(was.map(({ event }) => event));
      for (const [n, { at }] of was.entries())
        expect(Math.abs((is[n]?.at ?? 0) - at)).toBeLessThanOrEqual(20);
    }
    const paused = ({ at }: SentAppend): boolean => at > 9100 && at < 12_000;
    expect(listAppends(before).filter(paused)).toEqual([]);
    expect(listAppends(after).filter(paused)).toEqual([]);
    expect(listAppends(after).some(({ forceListen }) => forceListen === true)).toBe(true);
  });

  it('sends the same pictures with the same chunks', async () => {
    const files = new FakeFiles();
    const other = Uint8Array.of(...fakeJpeg, 1);
    await recordTalk('before', files, {
      mode: 'video',
      speaks,
      actions: [
        [1500, (talk) => talk.pushFrame(fakeJpeg)],
        [3500, (talk) => talk.pushFrame(other)],
        [8000, (talk) => talk.end()],
      ],
    });
    const { before, after } = await again(files);
    const seen = (tape: Tape) =>
      tape.lines.flatMap((line, index) =>
        decodePictures(tape, index, codec).map((picture) => ({ at: line.at, picture })),
      );
    expect(seen(before)).toHaveLength(2);
    expect(seen(after)).toEqual(seen(before));
  });

  it('applies the given settings, and keeps the other settings of the tape', async () => {
    const files = new FakeFiles();
    await recordTalk('before', files, { speaks, actions: [[3000, (talk) => talk.end()]] });
    expect(findPrompt((await again(files)).after)).toContain('Be brief.');
    const other = await rerun(files, ['before', '--tape', 'b', '--system', 'Be rude.']);
    expect(other.code).toBe(0);
    expect(findPrompt(await tapeIn('b', files))).toContain('Be rude.');
    await rerun(files, ['before', '--tape', 'c', '--preset', 'coach', '--chunk-ms', '500']);
    const third = await tapeIn('c', files);
    expect(findPrompt(third)).not.toContain('Be brief.');
    expect(listAppends(third)[0]?.audio.length).toBe(8000);
    expect(repeatsSpeech(await tapeIn('before', files), third)).toBe(true);
  });

  it('exits with an error code if the server fails, and writes a tape only after a connection', async () => {
    const files = new FakeFiles();
    await recordTalk('before', files, { speaks, actions: [[6000, (talk) => talk.end()]] });
    const dropped = await again(files, ['--json'], { faults: [{ kind: 'drop', atStep: 2 }] });
    expect(dropped.code).toBe(1);
    expect(dropped.out.trim().split('\n').at(-1)).toContain('"event":"closed"');
    const refused = await rerun(files, ['before', '--tape', 'c'], {
      faults: [{ kind: 'refuse', status: 503, body: '' }],
    });
    expect(refused.code).toBe(3);
    // There was no connection, so there is nothing to keep.
    await expect(tapeIn('c', files)).rejects.toThrow('notTape');
  });
});

describe('the rerun of a stored tape', () => {
  const rerunStored = async (name: string, args: readonly string[] = []) => {
    const path = workFolder()('after');
    const ran = await rerun(createFiles(), [fixture(name), '--tape', path, ...args]);
    return { ...ran, path, after: await tapeIn(path, createFiles()) };
  };

  it('sends a legacy tape in the unified dialect', async () => {
    const { code, after } = await rerunStored('legacy');
    expect(code).toBe(0);
    const before = await tapeIn(fixture('legacy'), createFiles());
    expect(repeatsSpeech(before, after)).toBe(true);
    expect(findPrompt(after)).toContain('session.init');
  });

  it('takes interruptions from the wire if the tape has no record of the user’s actions', async () => {
    const { after } = await rerunStored('audio-interrupted');
    expect(actionsOf(after, 'interrupt')).toHaveLength(1);
  });

  it('repeats the questions of a chat in order', async () => {
    const { code, out, err, after, parley, path } = await rerunStored('chat');
    expect(code).toBe(0);
    expect(err).toContain('Question 2 of 2.');
    expect(out).toContain('yes');
    expect(out).toContain('picture of 64 by 48');
    expect(after.header.mode).toBe('chat');
    const { one, other, answers, sameWords } = unwrap(
      await (await parley.tapeTools()).compare(fixture('chat'), path),
    );
    expect(answers.map((pair) => pair.other?.text.slice(0, 9))).toEqual(['yes', 'I see a p']);
    expect(one.latencyMs).toEqual({ p50: 200, p95: 200 });
    expect(other.latencyMs?.p95).toBeGreaterThan(0);
    // When it was recorded, the demonstration also named the picture’s colours.
    expect(sameWords).toBeCloseTo(31 / 33, 6);
    await expect(
      (await parley.tapeTools()).compare(fixture('chat'), fixture('video')),
    ).resolves.toMatchObject({
      error: { code: 'comparedKinds' },
    });
    await expect(rerunStored('chat', ['--dialect', 'legacy'])).rejects.toMatchObject({ code: 2 });
  });
});

it('a rerun refuses a missing tape, one that cannot be played, and one without speech', async () => {
  const files = new FakeFiles();
  files.put('cut/tape.ndjson', '{"format":"parley-tape",');
  await expect(rerun(files, ['cut'])).rejects.toMatchObject({ code: 1 });
  await expect(rerun(files, ['nowhere', '--tape', 'after'])).rejects.toMatchObject({ code: 2 });
  await recordTalk('before', files, { actions: [[100, (talk) => talk.end()]] });
  await expect(rerun(files, ['before', '--tape', 'after'])).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('nothing to send again') as string,
  });
  await expect(tapeIn('after', files)).rejects.toThrow('notTape');
});
