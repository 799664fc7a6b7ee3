import { beforeEach, describe, expect, it } from 'vitest';
import { FakeScreen } from '../../../../../fakes/fake-screen.ts';
import { endedByUser } from '../../../talk/conversation-harness.ts';
import { TalkCommandHarness } from './talk-command-harness.ts';

const byVoice = ['--mic', '--speaker'];

let stage: TalkCommandHarness;
let screen: FakeScreen;

beforeEach(async () => {
  stage = new TalkCommandHarness();
  screen = new FakeScreen(100);
  stage.screen = screen;
  await stage.start(...byVoice);
  stage.live();
});

/** The peak of the last 100 ms sent; before, the gate may still have been closing. */
function peak(): number {
  return Math.max(...stage.session.heard.slice(-1600).map(Math.abs));
}

describe('a talk on a screen with keys', () => {
  it('shows a line of keys, and explains them at ?', async () => {
    const line = '‹m mute · space pause · i interrupt · q end · ? keys›';
    expect(screen.shown()).toContain(line);
    await stage.press('?');
    expect(screen.shown()).toContain('‹q       ends the talk, like Ctrl-C›');
    expect(screen.shown().at(-1)).toMatch(/^‹Listening/);
  });

  it('is muted by m and then sends silence, and is unmuted by the next m', async () => {
    await stage.pass(200, 0.5);
    expect(peak()).toBe(0.5);
    await stage.press('m');
    expect([peak(), screen.shown().at(-1)]).toEqual([0, 'Muted · ‹Parley does not hear you›']);
    expect(screen.shown().at(-2)).toBe('You are muted: Parley hears silence.');
    await stage.press('m');
    expect(peak()).toBe(0.5);
    expect(screen.shown().at(-1)).toMatch(/^‹Listening ▮/);
  });

  it('is paused by space and resumed by the next, and stays muted', async () => {
    await stage.press('m', ' ');
    expect(screen.shown().at(-1)).toBe('Paused · ‹Parley does not hear you›');
    await stage.press(' ');
    expect(screen.shown().at(-1)).toBe('Muted · ‹Parley does not hear you›');
    expect(stage.session.calls).toEqual(['pause', 'resume']);
  });

  it('counts a held key as one press', async () => {
    await stage.press('m');
    await stage.pass(300, 0.5);
    for (let repeats = 0; repeats < 10; repeats += 1) await stage.hold('m');
    expect(screen.shown().at(-1)).toMatch(/^Muted/);
    await stage.pass(300, 0.5);
    await stage.press('m', 'm', 'm');
    expect(screen.shown().at(-1)).toMatch(/^‹Listening/);
  });

  it('is interrupted by i, and ignores unknown keys', async () => {
    stage.says('one two three', 3);
    await stage.pass(200);
    await stage.press('x', 'i', '\t');
    expect(stage.session.calls).toEqual(['interrupt']);
    expect(stage.speaker.queued()).toBe(0);
  });

  it('is ended by q like Ctrl-C, and then reads no more keys', async () => {
    await stage.press('q', 'q', 'q');
    expect(stage.session.calls).toEqual(['end']);
    expect(stage.readsKeys).toBe(true);
    stage.session.enter('closing').close(endedByUser);
    await stage.pass(100);
    expect([stage.code, stage.readsKeys]).toEqual([0, false]);
  });

  it('is cut off by q while the rest plays after the server’s end', async () => {
    stage.says('one two three', 3).ends();
    stage.session.close({ ...endedByUser, by: 'server' });
    await stage.pass(500);
    expect(stage.code).toBe(undefined);
    await stage.press('q');
    await stage.pass(100);
    expect([stage.code, stage.speaker.queued()]).toEqual([0, 0]);
  });
});

it('parley talk reads no keys with --json or in a pipe', async () => {
  const json = new TalkCommandHarness();
  json.screen = new FakeScreen(100);
  await json.start(...byVoice, '--json');
  const piped = await new TalkCommandHarness().start(...byVoice);
  expect([json.readsKeys, piped.readsKeys]).toEqual([false, false]);
});
