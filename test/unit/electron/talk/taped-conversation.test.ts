import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import { tapedDeps } from '../../../../electron/talk/sessions.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { TapeEvent } from '../../../../shared/recordings/tape-event.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { ConversationHarness } from './conversation-harness.ts';
import type { TalkScript } from '../../../fixtures/record-talk.ts';
import { ReplayHarness } from '../recordings/replay/replay-harness.ts';

/** A conversation that is recorded. */
class TapedConversation extends ConversationHarness {
  readonly tape: TapeEvent[];
  readonly said: number[];
  readonly heard: { samples: number };

  constructor() {
    const [tape, said, heard]: [TapeEvent[], number[], { samples: number }] = [
      [],
      [],
      { samples: 0 },
    ];
    super(
      {
        settings: { maxSlices: 4 },
        talking: 'holdOrTap',
        bargeIn: { ...defaultBargeInOptions, enabled: true },
      },
      {},
      new FakeClock(),
      (options, deps) =>
        tapedDeps(
          options,
          deps,
          {
            write: (event) => tape.push(event),
            onSound: (who, samples) => {
              if (who === 'you') said.push(...samples);
              else heard.samples += samples.length;
            },
            devices: { microphone: 'Desk', speaker: 'Room' },
          },
          { Parley: '1.2.3' },
        ),
    );
    [this.tape, this.said, this.heard] = [tape, said, heard];
  }

  of<Kind extends TapeEvent['kind']>(kind: Kind): readonly Extract<TapeEvent, { kind: Kind }>[] {
    return this.tape.filter(
      (event): event is Extract<TapeEvent, { kind: Kind }> => event.kind === kind,
    );
  }
}

describe('a recorded conversation', () => {
  it('records the heard samples of each turn, at most ten times a second and up to a cut', () => {
    const harness = new TapedConversation();
    harness.live().says('one two', 2).pass(1000);
    const before = harness.of('heard').length;
    harness.talk.interrupt();
    harness.pass(1000).ends().says('three', 1, 2).ends(2).pass(2000);
    const heard = harness.of('heard');
    expect(before).toBeGreaterThan(6);
    expect(before).toBeLessThanOrEqual(11);
    const first = heard.filter(({ turn }) => turn === 1).map(({ samples }) => samples);
    expect(first.at(-1)).toBeGreaterThanOrEqual(1000 * 24);
    expect(first.at(-1)).toBeLessThan(1100 * 24);
    expect(heard.at(-1)).toEqual({ kind: 'heard', turn: 2, samples: 24_000 });
  });

  it('records inputs of the user in their order', () => {
    const harness = new TapedConversation();
    harness.live().says('one two', 2).pass(500);
    harness.talk.controls.press();
    harness.talk.interrupt();
    harness.talk.controls.setMuted(true);
    harness.talk.onNetworkBack();
    harness.talk.end();
    harness.session.close({
      event: 'closed',
      error: appError('endedByPerson'),
      by: 'client',
      orderly: true,
    });
    harness.talk.continueTalk('nothing');
    const kinds = harness.tape
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'heard' && kind !== 'floor');
    expect(kinds).toEqual([
      'began',
      'controls',
      'controls',
      'interrupt',
      'controls',
      'networkBack',
      'end',
      'continue',
    ]);
    expect(harness.of('controls').at(-1)?.controls).toMatchObject({
      muted: true,
      transmitting: false,
    });
  });

  it('passes on the sound of both sides, except while muted or without the key', () => {
    const loud = (harness: TapedConversation) =>
      harness.said.filter((sample) => sample !== 0).length;
    const open = new TapedConversation();
    open.talk.controls.setTalking('open');
    open.live().says('one', 1).pass(1000, 0.5);
    expect(open.said.length).toBe(16_000);
    expect(loud(open)).toBeGreaterThan(15_000);
    // With an unknown server the first second may be stretched by a quarter.
    expect(open.heard.samples).toBeGreaterThan(19_000);
    open.talk.controls.setMuted(true);
    const before = loud(open);
    open.pass(1000, 0.5);
    // After muting, only the fade-out is recorded.
    expect(loud(open) - before).toBeLessThan(500);
    const keyed = new TapedConversation();
    keyed.live().pass(1000, 0.5);
    expect(loud(keyed)).toBe(0);
    keyed.talk.controls.press();
    keyed.pass(20, 0.5);
    // Includes the pre-roll from before the key.
    expect(loud(keyed)).toBeGreaterThan(8000);
  });
});

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
      const { captions, userTranscript } = harness.open.scene.talk;
      return [
        captions.length,
        userTranscript.phrases.map(({ at, text, after }) => [at, text, after]),
      ];
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
});
