import { describe, expect, it } from 'vitest';
import { replayCommand } from '../../../../../../electron/hosts/terminal/commands/replay-command.ts';
import { createVirtualClock } from '../../../../../../electron/recordings/replay/virtual-clock.ts';
import type { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { sessionCore } from '../../../../../fakes/session-core.ts';
import { storedTape } from '../../../../../fixtures/stored-tape.ts';

async function replay(files: FakeFiles) {
  const clock = createVirtualClock();
  const core = sessionCore({ clock, files });
  const written = { out: '', err: '' };
  const terminal = {
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
  };
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
  it('plays up to the cut for cuts at any offset of its lines', async () => {
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

  it('plays to its end with a sound file of any length', async () => {
    const length = storedTape(name).bytes('/tape/answer.wav').length;
    for (const left of [0, 4, 57, 58, 61, length - 3 * 96_000, length - 96_000, length - 1]) {
      const { code, err } = await replay(cutTo(name, 'answer.wav', Math.max(0, left)));
      const [why, ...rest] = err.split(/(?<=\n)/u);
      const says = rest.join('').replace(oneSentence, 'one sentence');
      expect({ left, code, says }).toEqual({ left, code: 0, says: 'one sentence' });
      expect(why).toBe('/tape/answer.wav is shorter than its tape says.\n');
    }
  });
});

it('reports whether it ends during an answer', async () => {
  const text = storedTape('legacy').text('/tape/tape.ndjson');
  const until = async (mark: string) => {
    const end = text.indexOf('\n', text.indexOf(mark));
    return (await replay(cutTo('legacy', 'tape.ndjson', end))).err;
  };
  expect(await until('"dir":"in"')).toContain('before the talk does.');
  expect(await until('"$sound":"answer.wav"')).toContain('in the middle of a sentence.');
});

it('shows a grey picture for a missing one and reports it', async () => {
  const whole = await replay(storedTape('video'));
  const files = storedTape('video');
  files.remove('/tape/frame-0001.jpg');
  const { code, err, lines } = await replay(files);
  expect({ code, err }).toEqual({
    code: 0,
    err: 'Some of its pictures are missing (1): a grey one replaces each.\n',
  });
  expect(lines.map(({ event, frames }) => ({ event, frames }))).toEqual(
    whole.lines.map(({ event, frames }) => ({ event, frames })),
  );
});

it('exits with 1 for a tape that cannot be played, and with 2 for a path without a tape', async () => {
  const cutHeader = replay(cutTo('chat', 'tape.ndjson', 40));
  await expect(cutHeader).rejects.toMatchObject({
    code: 1,
    message: 'This is not a Parley tape. /tape cannot be played.',
  });
  const files = storedTape('chat');
  files.remove('/tape/tape.ndjson');
  await expect(replay(files)).rejects.toMatchObject({ code: 2 });
});
