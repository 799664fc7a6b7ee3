import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';
import { instant } from '../contract/sound/player.ts';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { expectAnswer, isWhole, soonMs } from './answer-checks.ts';
import { Play, type Scene } from './play.ts';
import { start } from './scenes.ts';
import { Stage } from './stage.ts';

const missing = await missingSoundServer();

/** From half of this time on, Parley waits for a pause to hand over. */
const limitSeconds = 30;

/** Sets the server's time limit in the settings. */
async function setTimeLimit(stage: Stage): Promise<void> {
  const { settings } = (await stage.ask('settings')).value as {
    readonly settings: RedactedSettings;
  };
  const { chosen, list } = settings.endpoints;
  const { hasToken: _hasToken, ...server } = list.find(({ id }) => id === chosen) ?? {};
  await stage.do('putEndpoint', { ...server, traits: { timeLimit: limitSeconds } });
}

const sessionsOf = ({ connection }: Stage): number =>
  connection.sent.filter(({ event }) => event.kind === 'configure').length;

/** The next session takes over with the transcript; the user sees only a line in the captions. */
async function expectHandOver(stage: Stage): Promise<void> {
  const since = instant();
  const before = sessionsOf(stage);
  const { captions } = await stage.view();
  await stage.eventually('the next session is configured', () => sessionsOf(stage) > before);
  const heard = captions.findLast(isWhole)?.text.trim();
  expect(heard).not.toBe('');
  expect(stage.connection.instructions).toContain(heard);
  await stage.eventually('the one before is closed', () =>
    stage.connection.sent.some(({ at, event }) => at >= since && event.kind === 'close'),
  );
  await expectAnswer(stage);
  const after = await stage.view();
  const first = after.captions.find(({ turn }) => turn > (captions.at(-1)?.turn ?? 0));
  expect(first?.startsSession).toBe(true);
  expect(after.captions.slice(0, captions.length)).toEqual(captions);
  expect(stage.noticesOf('talkState', since)).toEqual([]);
  expect(stage.noticesOf('talkTrouble', since)).toEqual([]);
  expect(stage.noticesOf('talkWarning', since)).toEqual([]);
}

/** Appends continue without a gap much longer than a chunk. */
function expectNoGaps({ connection }: Stage): void {
  const { appends } = connection;
  const gaps = appends.slice(1).map(({ at }, index) => at - (appends[index]?.at ?? at));
  // A chunk of a second, plus delays of a busy machine.
  expect(Math.max(...gaps)).toBeLessThan(1000 + 2 * soonMs);
}

const scenes: readonly Scene[] = [
  ['learns the time limit of a session', setTimeLimit],
  ['starts', start],
  ['speaks and is answered', expectAnswer],
  ['continues in the next session', expectHandOver],
  ['continues in the session after that', expectHandOver],
  [
    'sends sound without gaps',
    (stage) => {
      expectNoGaps(stage);
      return Promise.resolve();
    },
  ],
  [
    'ends',
    async (stage) => {
      await stage.do('endTalk');
      await stage.until('it has ended', ({ state }) => state.phase === 'ended');
    },
  ],
];

const talks = (['unified', 'legacy'] as const).map((dialect: DialectName) => ({
  dialect,
  play: new Play(new Stage(dialect)),
}));

beforeAll(() => {
  if (missing !== undefined) return;
  const sessionSeconds = { audio: limitSeconds, video: limitSeconds };
  for (const { dialect, play } of talks)
    play.begin(async (stage) => {
      await stage.serve({ dialect, profile: 'deployed', sessionSeconds });
      await stage.open(dialect);
    }, scenes);
});

afterAll(async () => {
  await Promise.all(talks.map(({ play }) => play.end()));
}, 180_000);

describe.each(talks)('on a virtual sound card, $dialect, a talk of many sessions', (talk) => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each(scenes)('%s', { timeout: 180_000 }, async (name) => {
    await talk.play.scene(name);
  });
});
