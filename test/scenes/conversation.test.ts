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

/**
 * Session length of the server after the network failure: short, because the user continues after its limit, but long enough to
 * ask twice before it.
 */
const shortSeconds = 24;

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

describe('on a virtual sound card, a user', () => {
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

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  describe.each(conversations)('of a server of $dialect and $profile', (talk) => {
    it.each(scenesOf(talk.dialect, talk.profile))('%s', { timeout: 180_000 }, async (name) => {
      await talk.runner.result(name);
    });
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

const chunkMs = 1000;
/** The first chunk of the next session begins with the newest 320 ms of the sound that was held back. */
const restOfFirstChunkMs = chunkMs - 320;

/**
 * Appends are a chunk apart. At a hand-over, the silence in the chunk that the first session did not get, the start of the next
 * session and the rest of its first chunk come between them.
 */
function expectNoGaps({ connection, lateness }: TalkHarness): void {
  const { appends, starts } = connection;
  const lateMs = appends.slice(1).map(({ at }, index) => {
    const from = appends[index]?.at ?? at;
    const start = starts.find(({ createdAt }) => createdAt > from && createdAt < at);
    const startMs = start === undefined ? 0 : start.createdAt - Math.max(from, start.askedAt);
    return at - from - chunkMs - (start === undefined ? 0 : startMs + restOfFirstChunkMs);
  });
  // A machine on which timers are late sends late, too.
  expect(Math.max(...lateMs)).toBeLessThan(soonMs + lateness.max / 1e6);
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

// After the conversations above: all at once would keep the machine too busy to tell how late Parley sends.
describe('on a virtual sound card, a talk of many sessions', () => {
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

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  describe.each(talks)('in $dialect', (talk) => {
    it.each(scenes)('%s', { timeout: 180_000 }, async (name) => {
      await talk.runner.result(name);
    });
  });
});
