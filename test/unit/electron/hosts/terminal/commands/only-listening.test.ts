import { expect, it } from 'vitest';
import { byPerson } from '../../../talk/stage.ts';
import { TalkCommandHarness } from './talk-command-harness.ts';

it.each([
  [
    'unified',
    'a louder microphone, a lower --config listen_prob_scale=0.8, a higher --length-penalty 1.3, another server',
  ],
  ['legacy', 'a louder microphone, another server'],
] as const)(
  'says once that the server only listens, and what may help: %s',
  async (dialect, help) => {
    for (const json of [[], ['--json']]) {
      const stage = await new TalkCommandHarness().start('--mic', '--speaker', ...json);
      stage.live().session.emit({ event: 'session', id: 's', dialect });
      for (let second = 0; second < 18; second += 1) {
        await stage.pass(1000, second % 6 < 3 ? 0.3 : 0);
        stage.session.emit({ event: 'listen', yields: false });
      }
      const [, seconds, said] =
        /^The server has heard (\d+) s of speech and only listens\. What may help: (.+)\.\n$/.exec(
          stage.err,
        ) ?? [];
      expect([Number(seconds) >= 6, said]).toEqual([true, help]);
      if (json.length > 0) {
        const [line, ...more] = stage.linesOf('onlyListens');
        expect([line?.['spokenSeconds'], more]).toEqual([Number(seconds), []]);
      }
      await stage.ctrlC();
      stage.session.close(byPerson);
      await stage.pass(100);
    }
  },
);
