import { expect, it } from 'vitest';
import { TalkControllerHarness } from './talk-controller-harness.ts';

it('a talk posts that the server only listens, with the settings that may help', async () => {
  const stage = new TalkControllerHarness();
  stage.traits = { config: { length_penalty: null } };
  await stage.live();
  stage.session.emit({ event: 'session', id: 's', dialect: 'unified' });
  const { microphone } = stage.hand;
  for (let second = 0; second < 18; second += 1) {
    for (let block = 0; block < 50; block += 1) {
      stage.clock.advance(20);
      microphone.hear(new Float32Array(320).fill(second % 6 < 3 ? 0.3 : 0));
    }
    stage.session.emit({ event: 'listen', yields: false });
  }
  expect(stage.posted('talkOnlyListens')).toMatchObject([{ settings: ['listenProbScale'] }]);
});
