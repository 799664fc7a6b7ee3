import { describe, expect, it } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import { setGatewayScene, settle, textOf, voice } from './gateway-client.ts';

describe('the persona with pictures', () => {
  it('says that it sees a picture, with its size as text', async () => {
    const { goLive, step, clock } = setGatewayScene();
    const visitor = goLive('video');
    visitor.ask({ kind: 'append', audio: voice(1000), frames: [fakeJpeg] });
    clock.advance(1000);
    await settle();
    for (let nr = 0; nr < 8; nr += 1) step(visitor, { frames: [fakeJpeg] });
    expect(textOf(visitor)).toBe(
      'Hello, I am the demonstration. I can see your picture. (It is 64 by 48 pixels.)',
    );
  });

  it('says so even if it cannot measure the picture', async () => {
    const pictures = {
      measure: () => Promise.reject(new Error('no decoder')),
      prepare: () => Promise.resolve(failure('pictureBroken')),
    };
    const { goLive, step } = setGatewayScene({}, { pictures });
    const visitor = goLive('video');
    step(visitor, { audio: voice(1000), frames: [fakeJpeg] });
    await settle();
    for (let nr = 0; nr < 8; nr += 1) step(visitor, { frames: [fakeJpeg] });
    expect(textOf(visitor)).toBe('Hello, I am the demonstration. I can see your picture.');
  });

  it.each([
    [undefined, 64],
    [1, 64],
    [4, 192],
    [9, 405],
  ])('counts %s slices as %s tokens', (maxSlices, tokens) => {
    const { goLive, step } = setGatewayScene();
    const visitor = goLive('video');
    const [listen] = step(visitor, { frames: [fakeJpeg], maxSlices });
    expect(listen).toMatchObject({
      metrics: { contextTokens: 20 + 12 + tokens, values: { vision_tokens: tokens } },
    });
  });

  it('uses the session’s slices if the append has none', () => {
    const { goLive, step } = setGatewayScene({ dialect: 'legacy' });
    const visitor = goLive('video', { maxSlices: 4 });
    expect(step(visitor, { frames: [fakeJpeg] })).toMatchObject([
      { metrics: { values: { vision_slices: 4, vision_tokens: 192 } } },
    ]);
  });

  it('refuses a frame that is not JPEG', () => {
    const { goLive, step } = setGatewayScene({ profile: 'documented' });
    const visitor = goLive('video');
    expect(step(visitor, { frames: [Uint8Array.of(1, 2, 3)] })).toMatchObject([
      { kind: 'error', code: 'invalid_payload' },
    ]);
  });
});
