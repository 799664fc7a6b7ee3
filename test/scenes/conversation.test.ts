import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import type { ServerProfile } from '../../electron/gateway/gateway-options.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { isAnswered } from './answer-checks.ts';
import { Play, type Scene } from './play.ts';
import * as scene from './scenes.ts';
import { Stage } from './stage.ts';

const missing = await missingSoundServer();

/** After the network fails, the next server has short sessions. */
const limitSeconds = 14;

function scenes(dialect: DialectName, profile: ServerProfile): readonly Scene[] {
  const audio = limitSeconds;
  const short = { dialect, profile, sessionSeconds: { audio, video: audio } };
  return [
    ['starts', scene.start],
    ['speaks and is answered to the last sample', isAnswered],
    ['interrupts', scene.interrupts],
    ['speaks over the answer', scene.speaksOver],
    ['pushes to talk, holding and tapping', scene.pushesToTalk],
    ['mutes, and coughs', scene.mutes],
    ['pauses', scene.pauses],
    ['loses microphone and speaker', scene.unplugs],
    ['loses the network', (stage) => scene.losesTheNetwork(stage, () => stage.serve(short))],
    [
      'runs into the limit and goes on',
      (stage) => scene.goesOnAfterTheLimit(stage, () => stage.serve({ dialect, profile })),
    ],
    ['ends', scene.ends],
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
  return { dialect, profile, play: new Play(new Stage(dialect)) };
});

beforeAll(() => {
  if (missing !== undefined) return;
  for (const { dialect, profile, play } of conversations) {
    // Deployed legacy servers do not answer the other dialect, so detection would time out.
    const known = dialect === 'legacy' && profile === 'deployed' ? dialect : 'auto';
    const open = async (stage: Stage): Promise<void> => {
      await stage.serve({ dialect, profile });
      await stage.open(known);
      // Other tests cover automatic hand-over; here Parley asks the user.
      await stage.do('change', { talking: { longTalks: 'ask' } });
    };
    play.begin(open, scenes(dialect, profile));
  }
});

afterAll(async () => {
  await Promise.all(conversations.map(({ play }) => play.end()));
}, 180_000);

describe.each(conversations)('on a virtual sound card, $dialect and $profile, a person', (talk) => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each(scenes(talk.dialect, talk.profile))('%s', { timeout: 180_000 }, async (name) => {
    await talk.play.scene(name);
  });
});
