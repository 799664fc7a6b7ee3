import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../../shared/protocol/server-event.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { join, setGatewayScene, silence, spokenTo, textOf, voice } from './gateway-client.ts';

const kindsOf = (events: readonly ServerEvent[]) => events.map(({ kind }) => kind);

describe('the persona', () => {
  it('stays silent until the user speaks', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    for (let nr = 0; nr < 10; nr += 1) expect(kindsOf(step(visitor))).toEqual(['listen']);
  });

  it('listens while the user speaks and answers after a pause', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    expect(kindsOf(step(visitor, { audio: voice(1000) }))).toEqual(['listen']);
    expect(kindsOf(step(visitor, { audio: join(voice(700), silence(300)) }))).toEqual(['listen']);
    expect(kindsOf(step(visitor))).toEqual(['output']);
    expect(visitor.last('output')?.audio).toHaveLength(24_000);
  });

  it('answers in the step that completes the pause', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    expect(kindsOf(step(visitor, { audio: join(voice(400), silence(600)) }))).toEqual(['output']);
  });

  it('speaks at the same speed for shorter chunks', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    step(visitor, { audio: join(voice(400), silence(600)) });
    step(visitor, { audio: silence(250) });
    expect(visitor.last('output')?.audio).toHaveLength(6000);
  });

  it('ignores clicks and steady noise', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    const random = seeded(7);
    for (let nr = 0; nr < 20; nr += 1) {
      const noise = new Float32Array(16_000).map(() => (random() - 0.5) * 0.01);
      if (nr % 5 === 0) noise.fill(0.5, 100, 800);
      expect(kindsOf(step(visitor, { audio: noise }))).toEqual(['listen']);
    }
  });

  it('speaks a whole sentence, with text never later than its sound, and ends it with a listen', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    step(visitor, { audio: spokenTo });
    const steps = Array.from({ length: 5 }, () => step(visitor));
    const outputs = visitor.all('output');
    expect(textOf(visitor)).toBe('Hello, I am the demonstration. I can hear you.');
    // 9 words of 0.4 s and a pause of 0.2 s: three seconds and a shorter rest.
    expect(outputs.map(({ audio }) => audio?.length)).toEqual([24_000, 24_000, 24_000, 19_200]);
    expect(outputs.map(({ text }) => text)).toEqual([
      'Hello, I am',
      ' the demonstration.',
      ' I can',
      ' hear you.',
    ]);
    expect(steps.map(kindsOf)).toEqual([
      ['output'],
      ['output'],
      ['output', 'listen'],
      ['listen'],
      ['listen'],
    ]);
    expect(new Set(outputs.map(({ responseId }) => responseId)).size).toBe(1);
    expect(outputs[0]?.responseId).toMatch(/^resp_/);
  });

  it('ends the turn in the next step even if the user speaks, in the documented profile', () => {
    const { goLive, step } = setGatewayScene({ profile: 'documented' });
    const visitor = goLive();
    step(visitor, { audio: spokenTo });
    const steps = [step(visitor), step(visitor), step(visitor), step(visitor, { audio: spokenTo })];
    expect(steps.map(kindsOf)).toEqual([['output'], ['output'], ['output'], ['listen']]);
    expect(kindsOf(step(visitor))).toEqual(['output']);
  });

  it('marks the end in the last delta of the legacy dialect', () => {
    for (const profile of ['documented', 'deployed'] as const) {
      const { goLive, step } = setGatewayScene({ dialect: 'legacy', profile });
      const visitor = goLive();
      step(visitor, { audio: spokenTo });
      const steps = Array.from({ length: 4 }, () => step(visitor));
      expect(visitor.all('output').map(({ endOfTurn }) => endOfTurn)).toEqual([
        false,
        false,
        false,
        true,
      ]);
      expect(steps.map(kindsOf)).toEqual([['output'], ['output'], ['output'], ['listen']]);
    }
  });

  it('speaks only in response to appends', () => {
    const { goLive, step, clock } = setGatewayScene();
    const visitor = goLive();
    step(visitor, { audio: spokenTo });
    clock.advance(10_000);
    expect(visitor.all('output')).toHaveLength(1);
  });

  it('yields at once when the user speaks over it, and then says sorry', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    step(visitor, { audio: spokenTo });
    expect(kindsOf(step(visitor, { audio: join(silence(500), voice(500)) }))).toEqual(['listen']);
    expect(kindsOf(step(visitor, { audio: voice(1000) }))).toEqual(['listen']);
    expect(step(visitor)).toMatchObject([{ kind: 'output', text: 'Sorry, go on.' }]);
  });

  it('does not yield to one or two coughs', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    step(visitor, { audio: spokenTo });
    const cough = join(silence(300), voice(250), silence(450));
    expect(kindsOf(step(visitor, { audio: cough }))).toEqual(['output']);
    expect(kindsOf(step(visitor, { audio: cough }))).toEqual(['output']);
  });

  it('stops when forced to listen, and answers only after new speech', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    step(visitor, { audio: spokenTo });
    expect(kindsOf(step(visitor, { forceListen: true }))).toEqual(['listen']);
    for (let nr = 0; nr < 5; nr += 1) expect(kindsOf(step(visitor))).toEqual(['listen']);
    expect(step(visitor, { audio: spokenTo })).toMatchObject([{ text: 'Sorry, go on.' }]);
  });

  it('listens while it is forced to, and for as many steps as the session forces', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive('audio', { generation: { forceListenCount: 2 } });
    expect(kindsOf(step(visitor, { audio: spokenTo }))).toEqual(['listen']);
    expect(kindsOf(step(visitor, { forceListen: false }))).toEqual(['listen']);
    expect(kindsOf(step(visitor, { forceListen: true }))).toEqual(['listen']);
    expect(kindsOf(step(visitor))).toEqual(['output']);
  });

  it('varies what it says', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive();
    const turns = Array.from({ length: 5 }, () => {
      const before = visitor.all('output').length;
      step(visitor, { audio: spokenTo });
      for (let nr = 0; nr < 6; nr += 1) step(visitor);
      return visitor
        .all('output')
        .slice(before)
        .map(({ text }) => text)
        .join('');
    });
    expect(new Set(turns).size).toBe(5);
    expect(turns[0]).toMatch(/demonstration/);
  });

  it('sends no sound if the session turned it off', () => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive('audio', { generation: { generateAudio: false } });
    const [output] = step(visitor, { audio: spokenTo });
    expect(output).toMatchObject({ kind: 'output', text: 'Hello, I am' });
    expect(output).not.toHaveProperty('audio');
  });
});
