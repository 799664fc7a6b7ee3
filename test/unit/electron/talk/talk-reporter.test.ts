import { beforeEach, describe, expect, it } from 'vitest';
import { TalkPublisher } from '../../../../electron/talk/talk-reporter.ts';
import type { NoticeName } from '../../../../shared/ipc/contract.ts';
import { idleTalkView } from '../../../../shared/talk/talk-view.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { ConversationHarness } from './conversation-harness.ts';

let posts: (readonly [NoticeName, unknown])[];
let publisher: TalkPublisher;

beforeEach(() => {
  posts = [];
  publisher = new TalkPublisher((name, payload) => {
    posts.push([name, payload]);
  });
});

describe('the notices of a talk', () => {
  it('are posted, and the view equals what a page has built from them', () => {
    const state = { phase: 'live' } as const;
    const controls = { ...idleTalkView.controls, muted: true };
    const devices = {
      ...idleTalkView.devices,
      speaker: { kind: 'using', device: 'Built-in' },
    } as const;
    const left = { seconds: 60, tokens: 100, tokenSeconds: undefined, pruning: false };
    const warning = { limit: 'time', threshold: 60, secondsLeft: 60 } as const;
    publisher.publishBegan({ mode: 'audio', endpoint: 'Studio' });
    publisher.publish({ event: 'talk', state });
    publisher.publish({ event: 'controls', controls });
    publisher.publish({ event: 'floor', floor: 'you' });
    publisher.publish({ event: 'devices', devices });
    publisher.publish({ event: 'limits', limits: left });
    publisher.publish({ event: 'warning', warning });
    expect(posts).toEqual([
      ['talkBegan', { mode: 'audio', endpoint: 'Studio' }],
      ['talkState', state],
      ['talkControls', controls],
      ['floor', 'you'],
      ['talkDevices', devices],
      ['talkLimits', left],
      ['talkWarning', warning],
    ]);
    expect(publisher.view).toEqual({
      state,
      talk: { mode: 'audio', endpoint: 'Studio' },
      controls,
      floor: 'you',
      devices,
      limits: left,
      storage: idleTalkView.storage,
      capture: 'nothing',
      computerSound: { kind: 'off' },
      ownWords: idleTalkView.ownWords,
      requests: [],
      captions: [],
    });
  });

  it('report the shared capture on change, even if it was opened before the talk', () => {
    const before = posts.length;
    for (const open of ['nothing', 'camera', 'camera', 'nothing', 'screen'] as const)
      publisher.publishCapture(open);
    publisher.publishBegan({ mode: 'video', endpoint: 'Studio' });
    expect(posts.slice(before).filter(([name]) => name === 'talkCapture')).toEqual([
      ['talkCapture', 'camera'],
      ['talkCapture', 'nothing'],
      ['talkCapture', 'screen'],
    ]);
    expect(publisher.view.capture).toBe('screen');
  });

  it('include the session once the server has created it', () => {
    publisher.publishBegan({ mode: 'video', endpoint: 'Studio' });
    publisher.publish({ event: 'session', id: 's1', dialect: 'legacy' });
    const talk = { mode: 'video', endpoint: 'Studio', session: { id: 's1', dialect: 'legacy' } };
    expect(publisher.view.talk).toEqual(talk);
    expect(posts.at(-1)).toEqual(['talkBegan', talk]);
  });
});

describe('captions', () => {
  it('are marked if the model heard the computer when the turn began', () => {
    const say = (turn: number): void =>
      publisher.publish({ event: 'caption', patch: { turn, added: 'Hello.' } });
    say(1);
    publisher.publishComputerSound({ kind: 'on' });
    say(1);
    say(2);
    publisher.publishComputerSound({ kind: 'off' });
    say(2);
    say(3);
    const marked = publisher.view.captions.filter(({ hearsComputer }) => hearsComputer === true);
    expect(marked.map(({ turn }) => turn)).toEqual([2]);
  });

  it('are limited to the newest fifty turns for a page that opens late', () => {
    for (let turn = 1; turn <= 60; turn += 1) {
      publisher.publish({ event: 'caption', patch: { turn, added: `turn ${turn}` } });
    }
    expect(publisher.view.captions.map(({ turn }) => turn)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 11),
    );
  });
});

it('a talk logs an unknown server event once', () => {
  const log = new FakeLog();
  const harness = new ConversationHarness({}, { log }).live();
  harness.session.emit({ event: 'unknown', type: 'response.think' });
  harness.session.emit({ event: 'unknown', type: 'response.think' });
  expect(log.lines).toHaveLength(1);
  expect(log.lines[0]).toContain('response.think');
});
