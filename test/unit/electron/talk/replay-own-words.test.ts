import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../electron/talk/conversation.ts';
import type { TalkScript } from '../../../fixtures/record-talk.ts';
import { ReplayStage } from './replay-stage.ts';

const talk: TalkScript = {
  mode: 'video',
  speaks: (ms) => ms < 2000,
  actions: [[8000, (one) => one.end()]],
};

describe('a replay', () => {
  it('shows the user’s transcribed phrases at their spoken times', async () => {
    const stage = await new ReplayStage().record(talk);
    const said = { by: 'person', heard: 3, transcribed: 'byMachine' } as const;
    // The talk was shown 400 ms after its tape had begun.
    stage.text = {
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
    await stage.opened();
    expect(stage.open.facts.title).toBe('Lights');
    await stage.pass(2000);
    const words = async (at: number) => {
      await stage.ask('seekReplay', { at });
      const { captions, ownWords } = stage.open.scene.talk;
      return [captions.length, ownWords.phrases.map(({ at, text, after }) => [at, text, after])];
    };
    expect(await words(499)).toEqual([0, []]);
    expect(await words(500)).toEqual([0, [[500, 'One', undefined]]]);
    expect((await words(7600))[1]).toEqual([
      [500, 'One', undefined],
      [7500, 'Two', 1],
    ]);
    await stage.replay.end();
    // A copy at another path has no text.
    expect(await stage.replay.openPath('/elsewhere/my.parleytape')).toMatchObject({ ok: true });
    await stage.pass(2000);
    expect(stage.open.facts).not.toHaveProperty('title');
    expect((await words(7600))[1]).toEqual([]);
    await stage.replay.end();
  });

  it('marks the turns of both sides that began while the model heard the computer', async () => {
    const hear = (kind: 'on' | 'off') => (one: Conversation) => one.onComputerSound({ kind });
    const stage = await new ReplayStage().record({
      ...talk,
      actions: [[200, hear('on')], [6000, hear('off')], ...talk.actions],
    });
    const said = { by: 'person', heard: 3, transcribed: 'byMachine' } as const;
    stage.text = {
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
    await stage.opened();
    await stage.pass(2000);
    await stage.ask('seekReplay', { at: 7900 });
    const { captions, ownWords } = stage.open.scene.talk;
    expect(captions.map(({ hearsComputer }) => hearsComputer)).toEqual([true]);
    expect(ownWords.phrases.map(({ hearsComputer }) => hearsComputer)).toEqual([
      true,
      true,
      undefined,
    ]);
  });
});
