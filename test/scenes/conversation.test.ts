import { afterAll, beforeAll, beforeEach, describe, it, expect } from 'vitest';
import type { ServerProfile } from '../../electron/gateway/gateway-options.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { expectAnswer, isFullyHeard, soonMs } from './talk-checks.ts';
import {
  SceneRunner,
  continueAfterLimit,
  endTalk,
  interruptAnswer,
  loseNetwork,
  speakOverAnswer,
  start,
  unplugDevices,
  type Scene,
} from './scenes.ts';
import { TalkHarness } from './talk-harness.ts';
import type { RedactedSettings } from '../../shared/settings/settings.ts';
import { instant } from '../contract/sound/player.ts';

const missing = await missingSoundServer();

/** Session length of the server after the network failure: short, because the user continues after its limit. */
const shortSeconds = 14;

function scenesOf(dialect: DialectName, profile: ServerProfile): readonly Scene[] {
  const audio = shortSeconds;
  const short = { dialect, profile, sessionSeconds: { audio, video: audio } };
  return [
    ['starts a talk', start],
    ['speaks and is answered to the last sample', expectAnswer],
    ['interrupts an answer', interruptAnswer],
    ['speaks over the answer', speakOverAnswer],
    ['loses microphone and speaker', unplugDevices],
    ['loses the network', (harness) => loseNetwork(harness, () => harness.serve(short))],
    [
      'continues after the time limit',
      (harness) => continueAfterLimit(harness, () => harness.serve({ dialect, profile })),
    ],
    ['ends the talk', endTalk],
  ];
}

const wires: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['unified', 'llama-omni'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

/** In parallel, because each mostly waits. */
const conversations = wires.map(([dialect, profile]) => {
  return { dialect, profile, runner: new SceneRunner(new TalkHarness(dialect)) };
});

beforeAll(() => {
  if (missing !== undefined) return;
  for (const { dialect, profile, runner } of conversations) {
    // Deployed legacy servers do not answer the other dialect, so detection would time out.
    const known = dialect === 'legacy' && profile === 'deployed' ? dialect : 'auto';
    const open = async (harness: TalkHarness): Promise<void> => {
      await harness.serve({ dialect, profile });
      await harness.open(known);
      // Other tests cover automatic hand-over; here Parley asks the user.
      await harness.do('change', { talking: { longTalks: 'ask' } });
    };
    runner.begin(open, scenesOf(dialect, profile));
  }
});

afterAll(async () => {
  await Promise.all(conversations.map(({ runner }) => runner.end()));
}, 180_000);

describe.each(conversations)('on a virtual sound card, $dialect and $profile, a user', (talk) => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each(scenesOf(talk.dialect, talk.profile))('%s', { timeout: 180_000 }, async (name) => {
    await talk.runner.result(name);
  });
});

/** Session length. In the second half of a session, Parley waits for a pause to hand over. */
const limitSeconds = 30;

/** Sets the server's time limit in the settings. */
async function setTimeLimit(harness: TalkHarness): Promise<void> {
  const { settings } = (await harness.ask('settings')).value as {
    readonly settings: RedactedSettings;
  };
  const { chosen, list } = settings.endpoints;
  const { hasToken: _hasToken, ...server } = list.find(({ id }) => id === chosen) ?? {};
  await harness.do('putEndpoint', { ...server, traits: { timeLimit: limitSeconds } });
}

const sessionsOf = ({ connection }: TalkHarness): number =>
  connection.sent.filter(({ event }) => event.kind === 'configure').length;

/** The next session takes over with the transcript; the user sees only a line in the captions. */
async function expectHandOver(harness: TalkHarness): Promise<void> {
  const since = instant();
  const before = sessionsOf(harness);
  const { captions } = await harness.view();
  await harness.eventually('the next session is configured', () => sessionsOf(harness) > before);
  const heard = captions.findLast(isFullyHeard)?.text.trim();
  expect(heard).not.toBe('');
  expect(harness.connection.instructions).toContain(heard);
  await harness.eventually('the one before is closed', () =>
    harness.connection.sent.some(({ at, event }) => at >= since && event.kind === 'close'),
  );
  await expectAnswer(harness);
  const after = await harness.view();
  const first = after.captions.find(({ turn }) => turn > (captions.at(-1)?.turn ?? 0));
  expect(first?.startsSession).toBe(true);
  expect(after.captions.slice(0, captions.length)).toEqual(captions);
  expect(harness.noticesOf('talkState', since)).toEqual([]);
  expect(harness.noticesOf('talkTrouble', since)).toEqual([]);
  expect(harness.noticesOf('talkWarning', since)).toEqual([]);
}

/** Appends continue without a gap much longer than a chunk. */
function expectNoGaps({ connection }: TalkHarness): void {
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
    (harness) => {
      expectNoGaps(harness);
      return Promise.resolve();
    },
  ],
  [
    'ends',
    async (harness) => {
      await harness.do('endTalk');
      await harness.until('it has ended', ({ state }) => state.phase === 'ended');
    },
  ],
];

const talks = (['unified', 'legacy'] as const).map((dialect: DialectName) => ({
  dialect,
  runner: new SceneRunner(new TalkHarness(dialect)),
}));

beforeAll(() => {
  if (missing !== undefined) return;
  const sessionSeconds = { audio: limitSeconds, video: limitSeconds };
  for (const { dialect, runner } of talks)
    runner.begin(async (harness) => {
      await harness.serve({ dialect, profile: 'deployed', sessionSeconds });
      await harness.open(dialect);
    }, scenes);
});

afterAll(async () => {
  await Promise.all(talks.map(({ runner }) => runner.end()));
}, 180_000);

describe.each(talks)('on a virtual sound card, $dialect, a talk of many sessions', (talk) => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each(scenes)('%s', { timeout: 180_000 }, async (name) => {
    await talk.runner.result(name);
  });
});
