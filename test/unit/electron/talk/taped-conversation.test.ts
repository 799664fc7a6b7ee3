import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import type { ConversationOptions } from '../../../../electron/talk/conversation-options.ts';
import { Conversation } from '../../../../electron/talk/conversation.ts';
import { tapedDeps } from '../../../../electron/talk/sessions.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import { readTapeEvent, type TapeEvent } from '../../../../shared/recordings/tape-event.ts';
import { ClockSpeaker } from '../../../fakes/clock-speaker.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { PlayedModel, PlayedSession } from './stage.ts';

class TapedStage extends PlayedModel {
  readonly clock = new FakeClock();
  readonly tape: TapeEvent[] = [];
  readonly said: number[] = [];
  heardSamples = 0;
  readonly talk: Conversation;

  constructor() {
    super();
    const talkOptions: ConversationOptions = {
      mode: 'audio',
      settings: { maxSlices: 4 },
      dialect: 'auto',
      chunkMs: 1000,
      talking: 'holdOrTap',
      carryOver: englishCarryOver,
      bargeIn: { ...defaultBargeInOptions, enabled: true },
    };
    this.talk = new Conversation(
      talkOptions,
      tapedDeps(
        talkOptions,
        {
          clock: this.clock,
          random: seeded(1),
          speaker: new ClockSpeaker(this.clock),
          microphone: undefined,
          wallNow: undefined,
          log: new FakeLog(),
          openSession: (options, emit) => {
            const session = new PlayedSession(options, emit);
            this.sessions.push(session);
            return session;
          },
          emit: () => undefined,
        },
        {
          write: (event) => this.tape.push(event),
          onSound: (who, samples) => {
            if (who === 'you') this.said.push(...samples);
            else this.heardSamples += samples.length;
          },
          devices: { microphone: 'Desk', speaker: 'Room' },
        },
        { Parley: '1.2.3' },
      ),
    );
  }

  of<Kind extends TapeEvent['kind']>(kind: Kind): readonly Extract<TapeEvent, { kind: Kind }>[] {
    return this.tape.filter(
      (event): event is Extract<TapeEvent, { kind: Kind }> => event.kind === kind,
    );
  }

  pass(ms: number, loudness = 0): this {
    for (let passed = 0; passed < ms; passed += 20) {
      this.clock.advance(20);
      this.talk.pushAudio(new Float32Array(320).fill(loudness));
    }
    return this;
  }
}

describe('a recorded conversation', () => {
  it('begins with its options', () => {
    expect(new TapedStage().tape[0]).toEqual({
      kind: 'began',
      versions: { Parley: '1.2.3' },
      talking: 'holdOrTap',
      yielding: 'auto',
      reconnects: true,
      slices: 4,
      microphone: 'Desk',
      speaker: 'Room',
    });
  });

  it('records the heard samples of each turn, at most ten times a second and up to a cut', () => {
    const stage = new TapedStage();
    stage.live().says('one two', 2).pass(1000);
    const before = stage.of('heard').length;
    stage.talk.interrupt();
    stage.pass(1000).ends().says('three', 1, 2).ends(2).pass(2000);
    const heard = stage.of('heard');
    expect(before).toBeGreaterThan(6);
    expect(before).toBeLessThanOrEqual(11);
    const first = heard.filter(({ turn }) => turn === 1).map(({ samples }) => samples);
    expect(first.at(-1)).toBeGreaterThanOrEqual(1000 * 24);
    expect(first.at(-1)).toBeLessThan(1100 * 24);
    expect(heard.at(-1)).toEqual({ kind: 'heard', turn: 2, samples: 24_000 });
  });

  it('records inputs of the user before their effects', () => {
    const stage = new TapedStage();
    stage.live().says('one two', 2).pass(500);
    stage.talk.controls.press();
    stage.talk.interrupt();
    stage.talk.controls.setMuted(true);
    stage.talk.onNetworkBack();
    stage.talk.end();
    stage.session.close({
      event: 'closed',
      error: appError('endedByPerson'),
      by: 'client',
      orderly: true,
    });
    stage.talk.continueTalk('nothing');
    const kinds = stage.tape
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
    expect(stage.of('controls').at(-1)?.controls).toMatchObject({
      muted: true,
      transmitting: false,
    });
  });

  it('records device states, sleep and barge-in', () => {
    const stage = new TapedStage();
    stage.live().says('one two three four', 6);
    stage.talk.controls.setTalking('open');
    stage.pass(1500);
    stage.pass(400, 0.5).pass(1000);
    stage.talk.onDeviceEvent('microphone', { kind: 'lost', error: appError('endedByPerson') });
    stage.talk.onSystemWake();
    const does = stage.of('bargeIn').map((event) => event.does);
    expect(does[0]).toBe('duck');
    expect(does.at(-1)).toBe('restore');
    expect(stage.of('devices').at(-1)?.devices.microphone.kind).toBe('lost');
    expect(stage.of('wake')).toHaveLength(1);
    expect(stage.of('lostInSleep')).toHaveLength(1);
  });

  it('passes on the sound of both sides, except while muted or without the key', () => {
    const loud = (stage: TapedStage) => stage.said.filter((sample) => sample !== 0).length;
    const open = new TapedStage();
    open.talk.controls.setTalking('open');
    open.live().says('one', 1).pass(1000, 0.5);
    expect(open.said.length).toBe(16_000);
    expect(loud(open)).toBeGreaterThan(15_000);
    // With an unknown server the first second may be stretched by a quarter.
    expect(open.heardSamples).toBeGreaterThan(19_000);
    open.talk.controls.setMuted(true);
    const before = loud(open);
    open.pass(1000, 0.5);
    // Only the fade-out.
    expect(loud(open) - before).toBeLessThan(500);
    const keyed = new TapedStage();
    keyed.live().pass(1000, 0.5);
    expect(loud(keyed)).toBe(0);
    keyed.talk.controls.press();
    keyed.pass(20, 0.5);
    // Includes the pre-roll from before the key.
    expect(loud(keyed)).toBeGreaterThan(8000);
  });

  it('writes events that are read back unchanged', () => {
    const stage = new TapedStage();
    stage.live().says('one', 1).pass(500);
    stage.talk.onDeviceEvent('speaker', { kind: 'moved', from: 'Room', device: 'Desk' });
    stage.talk.interrupt();
    stage.pass(1000);
    for (const event of stage.tape)
      expect(readTapeEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });
});
