import { describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import type { ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { join, setGatewayScene, silence, spokenTo, textOf, voice } from './gateway-client.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { openVoiceActivityDetector } from '../../../../electron/gateway/dialogue-manager.ts';

const kindsOf = (events: readonly ServerEvent[]) => events.map(({ kind }) => kind);

describe('the dialogue manager', () => {
  it('stays silent until the user speaks', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    for (let nr = 0; nr < 10; nr += 1) expect(kindsOf(step(client))).toEqual(['listen']);
  });

  it('listens while the user speaks and answers after a pause', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    expect(kindsOf(step(client, { audio: voice(1000) }))).toEqual(['listen']);
    expect(kindsOf(step(client, { audio: join(voice(700), silence(300)) }))).toEqual(['listen']);
    expect(kindsOf(step(client))).toEqual(['output']);
    expect(client.last('output')?.audio).toHaveLength(24_000);
  });

  it('answers in the step that completes the pause', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    expect(kindsOf(step(client, { audio: join(voice(400), silence(600)) }))).toEqual(['output']);
  });

  it('speaks at the same speed for shorter chunks', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    step(client, { audio: join(voice(400), silence(600)) });
    step(client, { audio: silence(250) });
    expect(client.last('output')?.audio).toHaveLength(6000);
  });

  it('ignores clicks and steady noise', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    const random = seeded(7);
    for (let nr = 0; nr < 20; nr += 1) {
      const noise = new Float32Array(16_000).map(() => (random() - 0.5) * 0.01);
      if (nr % 5 === 0) noise.fill(0.5, 100, 800);
      expect(kindsOf(step(client, { audio: noise }))).toEqual(['listen']);
    }
  });

  it('speaks a whole sentence, with text never later than its sound, and ends it with a listen', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    step(client, { audio: spokenTo });
    const steps = Array.from({ length: 5 }, () => step(client));
    const outputs = client.all('output');
    expect(textOf(client)).toBe('Hello, I am the demonstration. I can hear you.');
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
    const client = goLive();
    step(client, { audio: spokenTo });
    const steps = [step(client), step(client), step(client), step(client, { audio: spokenTo })];
    expect(steps.map(kindsOf)).toEqual([['output'], ['output'], ['output'], ['listen']]);
    expect(kindsOf(step(client))).toEqual(['output']);
  });

  it('marks the end in the last delta of the legacy dialect', () => {
    for (const profile of ['documented', 'deployed'] as const) {
      const { goLive, step } = setGatewayScene({ dialect: 'legacy', profile });
      const client = goLive();
      step(client, { audio: spokenTo });
      const steps = Array.from({ length: 4 }, () => step(client));
      expect(client.all('output').map(({ endOfTurn }) => endOfTurn)).toEqual([
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
    const client = goLive();
    step(client, { audio: spokenTo });
    clock.advance(10_000);
    expect(client.all('output')).toHaveLength(1);
  });

  it('yields at once when the user speaks over it, and apologises afterwards', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    step(client, { audio: spokenTo });
    expect(kindsOf(step(client, { audio: join(silence(500), voice(500)) }))).toEqual(['listen']);
    expect(kindsOf(step(client, { audio: voice(1000) }))).toEqual(['listen']);
    expect(step(client)).toMatchObject([{ kind: 'output', text: 'Sorry, go on.' }]);
  });

  it('does not yield to one or two coughs', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    step(client, { audio: spokenTo });
    const cough = join(silence(300), voice(250), silence(450));
    expect(kindsOf(step(client, { audio: cough }))).toEqual(['output']);
    expect(kindsOf(step(client, { audio: cough }))).toEqual(['output']);
  });

  it('stops when forced to listen, and answers only after new speech', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    step(client, { audio: spokenTo });
    expect(kindsOf(step(client, { forceListen: true }))).toEqual(['listen']);
    for (let nr = 0; nr < 5; nr += 1) expect(kindsOf(step(client))).toEqual(['listen']);
    expect(step(client, { audio: spokenTo })).toMatchObject([{ text: 'Sorry, go on.' }]);
  });

  it('only listens in forced steps, and in as many first steps as the session forces', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive('audio', { generation: { forceListenCount: 2 } });
    expect(kindsOf(step(client, { audio: spokenTo }))).toEqual(['listen']);
    expect(kindsOf(step(client, { forceListen: false }))).toEqual(['listen']);
    expect(kindsOf(step(client, { forceListen: true }))).toEqual(['listen']);
    expect(kindsOf(step(client))).toEqual(['output']);
  });

  it('varies what it says', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    const turns = Array.from({ length: 5 }, () => {
      const before = client.all('output').length;
      step(client, { audio: spokenTo });
      for (let nr = 0; nr < 6; nr += 1) step(client);
      return client
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
    const client = goLive('audio', { generation: { generateAudio: false } });
    const [output] = step(client, { audio: spokenTo });
    expect(output).toMatchObject({ kind: 'output', text: 'Hello, I am' });
    expect(output).not.toHaveProperty('audio');
  });
});

describe('the dialogue manager with pictures', () => {
  it('says that it sees a picture, with its size in the text', async () => {
    const { goLive, step, clock } = setGatewayScene();
    const client = goLive('video');
    client.ask({ kind: 'append', audio: voice(1000), frames: [fakeJpeg] });
    clock.advance(1000);
    await flushPromises();
    for (let nr = 0; nr < 8; nr += 1) step(client, { frames: [fakeJpeg] });
    expect(textOf(client)).toBe(
      'Hello, I am the demonstration. I can see your picture. (It is 64 by 48 pixels.)',
    );
  });

  it('says that it sees a picture even if it cannot measure it', async () => {
    const pictures = {
      measure: () => Promise.reject(new Error('no decoder')),
      prepare: () => Promise.resolve(failure('pictureBroken')),
    };
    const { goLive, step } = setGatewayScene({}, { pictures });
    const client = goLive('video');
    step(client, { audio: voice(1000), frames: [fakeJpeg] });
    await flushPromises();
    for (let nr = 0; nr < 8; nr += 1) step(client, { frames: [fakeJpeg] });
    expect(textOf(client)).toBe('Hello, I am the demonstration. I can see your picture.');
  });

  it.each([
    [undefined, 64],
    [1, 64],
    [4, 192],
    [9, 405],
  ])('counts %s slices as %s tokens', (maxSlices, tokens) => {
    const { goLive, step } = setGatewayScene();
    const client = goLive('video');
    const [listen] = step(client, { frames: [fakeJpeg], maxSlices });
    expect(listen).toMatchObject({
      metrics: { contextTokens: 20 + 12 + tokens, values: { vision_tokens: tokens } },
    });
  });

  it('uses the session’s slices if the append has none', () => {
    const { goLive, step } = setGatewayScene({ dialect: 'legacy' });
    const client = goLive('video', { maxSlices: 4 });
    expect(step(client, { frames: [fakeJpeg] })).toMatchObject([
      { metrics: { values: { vision_slices: 4, vision_tokens: 192 } } },
    ]);
  });

  it('refuses a frame that is not JPEG', () => {
    const { goLive, step } = setGatewayScene({ profile: 'documented' });
    const client = goLive('video');
    expect(step(client, { frames: [Uint8Array.of(1, 2, 3)] })).toMatchObject([
      { kind: 'error', code: 'invalid_payload' },
    ]);
  });
});

describe('the voice activity detector', () => {
  it('adapts to a noisy room and back to a quiet one', () => {
    const detector = openVoiceActivityDetector();
    const hum = new Float32Array(16_000).map((_, at) => Math.sin(at / 20) * 0.03);
    for (let second = 0; second < 40; second += 1) detector.push(hum);
    detector.reset();
    detector.push(hum);
    expect(detector.speechMs).toBe(0);
    for (let second = 0; second < 3; second += 1) detector.push(silence(1000));
    detector.push(hum);
    expect(detector.speechMs).toBe(1000);
  });

  it('treats NaN as silence', () => {
    const detector = openVoiceActivityDetector();
    detector.push(new Float32Array(16_000).fill(Number.NaN));
    detector.push(new Float32Array(16_000).fill(Number.POSITIVE_INFINITY));
    expect(detector.speechMs).toBe(0);
    detector.push(voice(500));
    expect(detector.speechMs).toBe(500);
    expect(detector.silenceMs).toBe(0);
  });
});
