import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import type { ServerProfile } from '../../electron/gateway/gateway-options.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { expectAnswer } from './talk-checks.ts';
import { SceneRunner, type Scene } from './scene-runner.ts';
import * as scene from './scenes.ts';
import { TalkHarness } from './talk-harness.ts';

const missing = await missingSoundServer();

/** After the network fails, the next server has short sessions. */
const limitSeconds = 14;

function scenes(dialect: DialectName, profile: ServerProfile): readonly Scene[] {
  const audio = limitSeconds;
  const short = { dialect, profile, sessionSeconds: { audio, video: audio } };
  return [
    ['starts a talk', scene.start],
    ['speaks and is answered to the last sample', expectAnswer],
    ['interrupts an answer', scene.interruptAnswer],
    ['speaks over the answer', scene.speakOverAnswer],
    ['pushes to talk, holding and tapping', scene.pushToTalk],
    ['mutes the microphone, and for a cough', scene.mute],
    ['pauses the talk', scene.pause],
    ['loses microphone and speaker', scene.unplugDevices],
    ['loses the network', (harness) => scene.loseNetwork(harness, () => harness.serve(short))],
    [
      'continues after the time limit',
      (harness) => scene.continueAfterLimit(harness, () => harness.serve({ dialect, profile })),
    ],
    ['ends the talk', scene.endTalk],
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
    runner.begin(open, scenes(dialect, profile));
  }
});

afterAll(async () => {
  await Promise.all(conversations.map(({ runner }) => runner.end()));
}, 180_000);

describe.each(conversations)('on a virtual sound card, $dialect and $profile, a user', (talk) => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each(scenes(talk.dialect, talk.profile))('%s', { timeout: 180_000 }, async (name) => {
    await talk.runner.result(name);
  });
});
