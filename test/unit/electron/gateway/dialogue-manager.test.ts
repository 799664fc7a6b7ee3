import { describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/promises.ts';
import type { ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { setGatewayScene, silence, spokenTo, textOf, voice } from './gateway-client.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { joinSamples } from '../../../../electron/audio/dsp/samples.ts';
import { openVoiceActivityDetector } from '../../../../electron/gateway/dialogue-manager.ts';

const kindsOf = (events: readonly ServerEvent[]) => events.map(({ kind }) => kind);

describe('the dialogue manager', () => {
  it('listens while the user speaks and answers after a pause', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    expect(kindsOf(step(client, { audio: voice(1000) }))).toEqual(['listen']);
    expect(kindsOf(step(client, { audio: joinSamples([voice(700), silence(300)]) }))).toEqual([
      'listen',
    ]);
    expect(kindsOf(step(client))).toEqual(['output']);
    expect(client.last('output')?.audio).toHaveLength(24_000);
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

  it('yields at once when the user speaks over it, and apologises afterwards', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    step(client, { audio: spokenTo });
    expect(kindsOf(step(client, { audio: joinSamples([silence(500), voice(500)]) }))).toEqual([
      'listen',
    ]);
    expect(kindsOf(step(client, { audio: voice(1000) }))).toEqual(['listen']);
    expect(step(client)).toMatchObject([{ kind: 'output', text: 'Sorry, go on.' }]);
  });

  it('stops when forced to listen, and answers only after new speech', () => {
    const { goLive, step } = setGatewayScene();
    const client = goLive();
    step(client, { audio: spokenTo });
    expect(kindsOf(step(client, { forceListen: true }))).toEqual(['listen']);
    for (let nr = 0; nr < 5; nr += 1) expect(kindsOf(step(client))).toEqual(['listen']);
    expect(step(client, { audio: spokenTo })).toMatchObject([{ text: 'Sorry, go on.' }]);
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
  it('mentions that it sees a picture, and the picture’s size', async () => {
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
});
