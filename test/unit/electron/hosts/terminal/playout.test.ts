import { expect, it } from 'vitest';
import { openPlayout } from '../../../../../electron/hosts/terminal/playout.ts';
import { outputRate } from '../../../../../shared/protocol/limits.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';

it('cuts the captions of every turn that an interruption keeps from being heard', async () => {
  const files = new FakeFiles();
  files.putFolder('f');
  const file = await files.create('f/c.vtt');
  if (!file.ok) throw new Error(file.problem);
  const captions = { file: file.value, format: 'vtt' } as const;
  const playout = openPlayout({ output: undefined, captions }, () => undefined);
  const say = (turn: number, text: string): void => {
    playout.hear({ event: 'text', turn, text });
    playout.hear({ event: 'audio', turn, audio: new Float32Array(outputRate) });
    playout.hear({ event: 'turnEnded', turn });
  };
  say(1, 'zero.');
  say(2, 'one two three four.');
  say(3, 'five six seven eight.');
  playout.hear({ event: 'text', turn: 4, text: 'never.' });
  playout.advanceTo(1500);
  playout.hear({ event: 'listen', yields: true });
  await playout.finish();
  expect(files.text('f/c.vtt')).toContain('zero.');
  expect(files.text('f/c.vtt')).toContain('one two');
  expect(files.text('f/c.vtt')).not.toMatch(/four|five|never/);
});

it('silences a speaker when it is interrupted, and tells of it when the model yields', () => {
  const flushed: unknown[] = [];
  let queued = 0;
  const speaker = {
    write: (samples: Float32Array) => void (queued += samples.length),
    flush: () => {
      queued = 0;
      return { heard: 0, dropped: 0 };
    },
    heard: () => 0,
    queued: () => queued,
    setDip: () => undefined,
  };
  const none = { output: undefined, captions: undefined };
  const playout = openPlayout(none, (event) => void flushed.push(event), {
    speaker,
    clock: new FakeClock(),
    stepMs: 1000,
  });
  playout.hear({ event: 'audio', turn: 1, audio: new Float32Array(500) });
  playout.interrupt();
  expect([queued, playout.drained]).toEqual([0, true]);
  playout.hear({ event: 'listen', yields: true });
  playout.hear({ event: 'listen', yields: true });
  expect(flushed.slice(1)).toEqual([
    { event: 'listen', flushedSamples: 500 },
    { event: 'listen', flushedSamples: 0 },
  ]);
});
