import { expect, it } from 'vitest';
import { listen } from './server-events.ts';
import { Scene } from './session-scene.ts';

const prepared = { inputText: 24, inputAudio: 56 };
const noStats = {};

it('the first usage of a session counts its instructions and voice', () => {
  const created = (usage: object) =>
    new Scene()
      .open()
      .say({ kind: 'admitted' }, { kind: 'created', metrics: { values: noStats, usage } })
      .emittedOf('session')[0];
  expect(created(prepared)).toMatchObject({ promptLength: 80 });
  expect(created({ inputText: 0, inputAudio: 0 })?.promptLength).toBeUndefined();
});

it('the usage of a step and of the end is emitted, whoever ends the session', () => {
  for (const endsIt of [true, false]) {
    const scene = new Scene().live().speak(1);
    const usage = { inputText: 24, inputAudio: 66 };
    const stepUsage = { inputAudio: 10 };
    scene.say({ ...listen(), metrics: { values: noStats, usage, stepUsage, stepIndex: 0 } });
    if (endsIt) scene.session.end();
    const last = { inputText: 25, inputAudio: 66 };
    scene.say({ kind: 'closed', reason: 'timeout', metrics: { values: noStats, usage: last } });
    expect(scene.emittedOf('metrics').map(({ metrics }) => metrics)).toEqual([
      { values: noStats, usage, stepUsage, stepIndex: 0 },
      { values: noStats, usage: last },
    ]);
  }
});
