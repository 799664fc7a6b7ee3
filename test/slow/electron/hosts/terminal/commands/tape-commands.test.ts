import { describe, expect, it } from 'vitest';
import { compareCommand } from '../../../../../../electron/hosts/terminal/commands/compare-command.ts';
import { exampleTape, exportsOf } from '../../../recordings/export/export-harness.ts';
import { replayCommand } from '../../../../../../electron/hosts/terminal/commands/replay-command.ts';
import { createVirtualClock } from '../../../../../../electron/recordings/replay/virtual-clock.ts';
import type { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { sessionCore } from '../../../../../fakes/core-with-fakes.ts';
import { storedTape } from '../../../../../fixtures/stored-tape.ts';

async function run(...args: readonly string[]) {
  let out = '';
  const terminal = { out: (text: string) => void (out += text), err: () => undefined };
  return { code: await compareCommand.run(args, terminal, exportsOf), out: () => out };
}

describe('parley compare', () => {
  it('finds no difference between a tape and itself', async () => {
    const { code, out } = await run(exampleTape('voice'), exampleTape('voice'), '--json');
    const said = JSON.parse(out()) as { one: { latencyMs: { p50: number } } };
    expect(said).toMatchObject({ alike: true, differs: [], sameWords: 1, latencyRatio: 1 });
    expect(said.one.latencyMs.p50).toBeGreaterThan(100);
    expect(said.one.latencyMs.p50).toBeLessThan(6000);
    expect(code).toBe(0);
  });

  it('shows the differences of two tapes and exits with 1', async () => {
    const { code, out } = await run(
      exampleTape('voice'),
      exampleTape('video'),
      '--min-same-words=0.95',
    );
    expect(out()).toMatch(/The tapes differ: .*words/u);
    expect(code).toBe(1);
  });

  it('uses the singular for a count of one', async () => {
    const { out } = await run(exampleTape('voice'), exampleTape('reconnect'));
    expect(out()).toMatch(/\b1 (?:answer|interruption|reconnect|problem)\b/u);
    expect(out()).not.toMatch(/\b1 (?:answers|interruptions|reconnects|problems)\b/u);
  });

  it('exits with 2 for a path without a tape', async () => {
    await expect(run(exampleTape('voice'), '/nowhere')).rejects.toMatchObject({ code: 2 });
  });
});

async function replay(files: FakeFiles) {
  const clock = createVirtualClock();
  const core = sessionCore({ clock, files });
  const { terminal, written } = fakeTerminal();
  const args = ['/tape', '--speed', 'max', '--json'];
  const code = await replayCommand.run(args, terminal, () => core);
  const lines = written.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return { code, err: written.err, lines };
}

const oneSentence =
  /^The tape ends after \d+ seconds, (?:in the middle of a sentence|before the talk does)\.\n$/;

const cutTo = (name: string, file: string, length: number): FakeFiles => {
  const files = storedTape(name);
  files.put(`/tape/${file}`, files.bytes(`/tape/${file}`).slice(0, length));
  return files;
};

/** Seeded random offsets, and the last 20 offsets. */
function offsets(from: number, to: number, count: number): readonly number[] {
  const random = seeded(count);
  const some = Array.from({ length: count }, () => from + Math.floor(random() * (to - from)));
  const last = Array.from({ length: 20 }, (_, back) => to - 2 - back);
  return [...some, ...last];
}

describe.each(['audio-interrupted', 'video', 'chat', 'legacy'])('the stored tape %s', (name) => {
  it('plays up to the cut, at whatever byte of its lines the tape is cut', async () => {
    const whole = await replay(storedTape(name));
    const text = storedTape(name).bytes('/tape/tape.ndjson');
    const header = text.indexOf(0x0a) + 1;
    const events = whole.lines.filter(({ event }) => event === 'text' || event === 'audio');
    for (const length of offsets(header, text.length, 120)) {
      const { code, err, lines } = await replay(cutTo(name, 'tape.ndjson', length));
      // If only the server's `session.closed` event was cut off, the tape still holds the whole talk.
      const over = lines.at(-1)?.['reason'] === whole.lines.at(-1)?.['reason'];
      const says = err.replace(oneSentence, 'one sentence');
      expect({ length, code, says }).toEqual({ length, code: 0, says: over ? '' : 'one sentence' });
      if (over) expect(length).toBeGreaterThan(text.length - 400);
      else expect(lines.at(-1)).toMatchObject({ event: 'closed', reason: 'tape_cut' });
      const heard = lines.filter(({ event }) => event === 'text' || event === 'audio');
      expect(heard).toEqual(events.slice(0, heard.length));
    }
  });
});

it('parley replay reports whether a cut tape ends during an answer', async () => {
  const text = storedTape('legacy').text('/tape/tape.ndjson');
  const until = async (mark: string) => {
    const end = text.indexOf('\n', text.indexOf(mark));
    return (await replay(cutTo('legacy', 'tape.ndjson', end))).err;
  };
  expect(await until('"dir":"in"')).toContain('before the talk does.');
  expect(await until('"$sound":"answer.wav"')).toContain('in the middle of a sentence.');
});

it('a replay shows a grey picture in place of a missing one and reports the loss', async () => {
  const whole = await replay(storedTape('video'));
  const files = storedTape('video');
  files.remove('/tape/frame-0001.jpg');
  const { code, err, lines } = await replay(files);
  expect({ code, err }).toEqual({
    code: 0,
    err: 'Some of its pictures or voices are missing (1). A grey picture replaces each picture, and the voices are left out.\n',
  });
  expect(lines.map(({ event, frames }) => ({ event, frames }))).toEqual(
    whole.lines.map(({ event, frames }) => ({ event, frames })),
  );
});

it('parley replay exits with 1 for a tape that cannot be played, and with 2 for a path without a tape', async () => {
  const cutHeader = replay(cutTo('chat', 'tape.ndjson', 40));
  await expect(cutHeader).rejects.toMatchObject({
    code: 1,
    message: 'This is not a Parley recording. /tape cannot be played.',
  });
  const files = storedTape('chat');
  files.remove('/tape/tape.ndjson');
  await expect(replay(files)).rejects.toMatchObject({ code: 2 });
});
