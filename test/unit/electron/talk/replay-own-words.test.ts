import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../electron/talk/conversation.ts';
import type { TalkScript } from '../../../fixtures/record-talk.ts';
import { ReplayHarness } from './replay-harness.ts';

const talk: TalkScript = {
  mode: 'video',
  speaks: (ms) => ms < 2000,
  actions: [[8000, (one) => one.end()]],
};

describe('a replay', () => {
  it('shows the user’s transcribed phrases at their spoken times', async () => {
    const harness = await new ReplayHarness().record(talk);
    const said = { by: 'person', heard: 3, transcribed: 'byMachine' } as const;
    // The talk was shown 400 ms after its tape had begun.
    harness.text = {
      title: 'Lights',
      pinned: false,
      mode: 'video',
      server: { name: '' },
      begunAt: 1400,
      savedAt: 1400,
      events: [],
      pictures: [],
      turns: [
        { ...said, at: 100, text: 'One' },
        { by: 'parley', at: 2000, text: 'Of mine', heard: 0 },
        { ...said, at: 7100, text: 'Two' },
        { ...said, at: -700, text: 'Before the tape' },
      ],
    };
    await harness.opened();
    expect(harness.open.facts.title).toBe('Lights');
    await harness.pass(2000);
    const words = async (at: number) => {
      await harness.ask('seekReplay', { at });
      const { captions, ownWords } = harness.open.scene.talk;
      return [captions.length, ownWords.phrases.map(({ at, text, after }) => [at, text, after])];
    };
    expect(await words(499)).toEqual([0, []]);
    expect(await words(500)).toEqual([0, [[500, 'One', undefined]]]);
    expect((await words(7600))[1]).toEqual([
      [500, 'One', undefined],
      [7500, 'Two', 1],
    ]);
    await harness.replay.end();
    // A copy at another path has no text.
    expect(await harness.replay.openPath('/elsewhere/my.parleytape')).toMatchObject({ ok: true });
    await harness.pass(2000);
    expect(harness.open.facts).not.toHaveProperty('title');
    expect((await words(7600))[1]).toEqual([]);
    await harness.replay.end();
  });

  it('marks the turns of both sides that began while the model heard the computer', async () => {
    const hear = (kind: 'on' | 'off') => (one: Conversation) => one.onComputerSound({ kind });
    const harness = await new ReplayHarness().record({
      ...talk,
      actions: [[200, hear('on')], [6000, hear('off')], ...talk.actions],
    });
    const said = { by: 'person', heard: 3, transcribed: 'byMachine' } as const;
    harness.text = {
      title: 'A film',
      pinned: false,
      mode: 'video',
      server: { name: '' },
      begunAt: 1400,
      savedAt: 1400,
      events: [],
      pictures: [],
      turns: [
        { ...said, at: 100, text: 'One' },
        { ...said, at: 3000, text: 'Two' },
        { ...said, at: 7100, text: 'Three' },
      ],
    };
    await harness.opened();
    await harness.pass(2000);
    await harness.ask('seekReplay', { at: 7900 });
    const { captions, ownWords } = harness.open.scene.talk;
    expect(captions.map(({ hearsComputer }) => hearsComputer)).toEqual([true]);
    expect(ownWords.phrases.map(({ hearsComputer }) => hearsComputer)).toEqual([
      true,
      true,
      undefined,
    ]);
  });
});
