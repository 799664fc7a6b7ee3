import { beforeEach, describe, expect, it } from 'vitest';
import { englishPresets } from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { endedByUser, lost } from '../../../talk/conversation-harness.ts';
import { sessionError } from '../../../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../../../shared/i18n/en/errors.ts';
import { TalkCommandHarness } from './talk-command-harness.ts';
import { FakeScreen } from '../../../../../fakes/fake-terminal.ts';
import {
  repeatAtIntervals,
  TalkEndDetector,
} from '../../../../../../electron/hosts/terminal/commands/scripted-talk.ts';
import {
  answerTimeoutMs,
  quietAfterAnswerMs,
} from '../../../../../../electron/talk/last-answer.ts';
import type { Clock } from '../../../../../../shared/ports/clock.ts';

const byVoice = ['--mic', '--speaker'];
const byFile = ['--input', 'f/in.wav'];
const unreachable = { ...lost, error: sessionError('unreachable') };
const timeLimit = { ...endedByUser, error: sessionError('timeout'), by: 'server' } as const;

describe('a talk by microphone and speaker', () => {
  it('ducks the answer under a short sound and continues', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.live().says('one two three four five six', 4).ends();
    await stage.pass(1000, 0.001);
    await stage.pass(200, 0.5);
    expect(Math.min(...stage.speaker.gains)).toBe(0.25);
    await stage.pass(600, 0.001);
    expect(stage.speaker.gains.at(-1)).toBe(1);
    await stage.pass(4000, 0.001);
    expect(stage.speaker.heard()).toBeGreaterThanOrEqual(4 * 24_000);
    expect(stage.out).toBe('one two three four five six\n');
  });

  it('reports a lost network in JSON by the states of the next session, and reports only one end', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice, '--json');
    stage.live().session.close(lost);
    await stage.pass(1000);
    stage.live().says('one', 1).ends();
    await stage.pass(2000);
    await stage.end();
    const states = stage.linesOf('state').map(({ state }) => state);
    const begins = ['connecting', 'configuring', 'live'];
    expect(states).toEqual([...begins, 'closed', ...begins, 'closing', 'closed']);
    expect(stage.linesOf('closed')).toEqual([stage.lines.at(-1)]);
    expect(stage.lines.at(-1)).toEqual({
      event: 'closed',
      reason: 'user_stop',
      by: 'client',
    });
    expect(stage.err).toMatch(/^The session was lost .*\nEnding the session/);
    expect(stage.code).toBe(0);
  });

  it('hands over to another session with --hand-over, and reports it once', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice, '--hand-over', '--json');
    // The first session shows how long this server's sessions last.
    stage.live().says('one two', 1).ends();
    await stage.pass(40_000);
    stage.session.close(timeLimit);
    await stage.pass(20);
    stage.live().says('three four', 1).ends();
    await stage.pass(25_000);
    expect(stage.sessions).toHaveLength(3);
    stage.live();
    await stage.pass(200);
    expect(stage.linesOf('handedOver')).toHaveLength(1);
    expect(stage.code).toBe(undefined);
    await stage.end();
    expect(stage.code).toBe(0);
  });

  it('ends at once with exit code 3 if its first session cannot connect', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.session.close(unreachable);
    await stage.pass(1000);
    expect(stage.code).toBe(3);
    expect(stage.sessions).toHaveLength(1);
  });

  it('plays out the received sound after the server’s end', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.live().says('one two three', 3).ends().session.close(timeLimit);
    await stage.pass(1000);
    expect(stage.code).toBe(undefined);
    await stage.pass(2500);
    expect(stage.code).toBe(0);
  });
});

describe('a talk with a file', () => {
  it('ends with exit code 1 if it loses its connection', async () => {
    const stage = await new TalkCommandHarness().start(...byFile, '--json');
    stage.live().says('one two', 3);
    await stage.pass(500);
    stage.session.close(lost);
    await stage.pass(100);
    expect(stage.code).toBe(1);
    expect(stage.sessions).toHaveLength(1);
    expect(stage.lines.at(-1)).toEqual({
      event: 'closed',
      reason: 'connection_lost',
      by: 'network',
    });
    expect(stage.err).toBe(`${englishErrorMessage(lost.error)}\n`);
  });

  it('ends at once if its server is busy', async () => {
    const stage = await new TalkCommandHarness().start(...byFile, '--speaker');
    stage.session.close({ ...lost, error: sessionError('worker_busy'), by: 'server' });
    await stage.pass(5000);
    expect({ code: stage.code, sessions: stage.sessions.length }).toEqual({ code: 1, sessions: 1 });
  });

  it('empties no older file if the tape cannot be opened, and no file of the tape is one of the answer', async () => {
    const stage = new TalkCommandHarness();
    const refusal = (folder: string) =>
      `${folder} already holds something: choose a new or an empty folder.`;
    stage.files.put('f/old.wav', 'old');
    await stage.start(...byFile, '--tape', 'f', '--output', 'f/old.wav');
    expect([stage.err, stage.files.text('f/old.wav')]).toEqual([refusal('f'), 'old']);
    stage.err = '';
    await stage.start(...byFile, '--tape', 'g', '--output', 'g/answer.wav');
    expect([stage.err, stage.files.names()]).toEqual([
      refusal('g'),
      expect.not.arrayContaining(['g/answer.wav']),
    ]);
  });

  it('writes all received sound and captions, even if it is ended early', async () => {
    const files = ['--output', 'f/o.wav', '--captions', 'f/c.srt', '--max-seconds', '2'];
    const stage = await new TalkCommandHarness().start(...byFile, ...files);
    stage.live().says('one two three four', 6).ends();
    await stage.pass(2000);
    expect(stage.session.calls).toEqual(['end']);
    stage.session.close(endedByUser);
    await stage.pass(100);
    expect(stage.code).toBe(0);
    const head = 44;
    expect(stage.files.bytes('f/o.wav').length - head).toBe(2 * 6 * 24_000);
    expect(stage.files.text('f/c.srt')).toContain('one two three four');
    expect(stage.out).toBe('one two three four\n');
  });
});

describe('a talk with --muted or the mute setting', () => {
  it('sends silence for a file, and first reports in JSON that it is muted', async () => {
    const stage = await new TalkCommandHarness().start(...byFile, '--muted', '--json');
    stage.live();
    await stage.pass(1000);
    expect(Math.max(...stage.session.heard)).toBe(0);
    expect(stage.lines[0]).toEqual({ event: 'controls', muted: true, paused: false });
    expect(stage.linesOf('controls')).toHaveLength(1);
  });

  it.each([
    ['muted by the setting with a microphone', byVoice, true],
    ['not muted by the setting with a file', byFile, false],
  ] as const)('is %s', async (_what, how, muted) => {
    const stage = new TalkCommandHarness();
    const { talking } = stage.settings;
    stage.settings = { ...stage.settings, talking: { ...talking, startMuted: true } };
    await stage.start(...how, '--json');
    stage.live();
    await stage.pass(1000, 0.5);
    expect(Math.max(...stage.session.heard) === 0).toBe(muted);
    expect(stage.linesOf('controls')).toHaveLength(muted ? 1 : 0);
  });
});

describe('the model', () => {
  it.each([
    ['on this computer', 'computer', 4],
    ['elsewhere', 'embedded', 8],
  ])(
    '%s gets pictures with the pause that the pace of the model needs',
    async (_where, chosen, count) => {
      const stage = new TalkCommandHarness();
      const { endpoints } = stage.settings;
      stage.settings = { ...stage.settings, endpoints: { ...endpoints, chosen } };
      stage.minPauseMs = 2000;
      await stage.start('--mode', 'video', '--mic', '--frame', 'f/a.jpg');
      stage.live();
      await stage.pass(8000);
      expect(stage.session.calls.filter((call) => call.startsWith('see'))).toHaveLength(count);
      await stage.end();
    },
  );
});

describe('the options of a talk', () => {
  it('are sent to the server', async () => {
    const how = '--mode video --slices 4 --length-penalty 1.3 --preset coach --yielding never';
    const fields = ['--config', 'top_k=5', '--config', 'ls_mode=explicit', ...how.split(' ')];
    const stage = await new TalkCommandHarness().start(...byVoice, ...fields);
    expect(stage.session.options).toMatchObject({
      mode: 'video',
      yielding: 'never',
      settings: {
        instructions: englishPresets.coach.instructions,
        maxSlices: 4,
        generation: { lengthPenalty: 1.3, other: { top_k: 5, ls_mode: 'explicit' } },
      },
    });
    await stage.end();
  });

  it.each([
    ['with --warnings', ['--warnings'], 'embedded', 7936, true],
    ['not without', [], 'embedded', 7936, false],
    ['earlier with the model on this computer', ['--warnings'], 'computer', 3840, true],
  ] as const)('warn of the context limit: %s', async (_when, options, chosen, tokens, warns) => {
    const stage = new TalkCommandHarness();
    const { endpoints } = stage.settings;
    stage.settings = { ...stage.settings, endpoints: { ...endpoints, chosen } };
    await stage.start(...byVoice, ...options);
    stage.live();
    stage.session.emit({ event: 'metrics', metrics: { contextTokens: tokens, values: {} } });
    await stage.pass(100);
    expect(stage.err.includes('The model can remember 15 more seconds of this session.')).toBe(
      warns,
    );
    await stage.end();
  });
});

it.each([
  [
    'unified',
    'a louder microphone, a lower --config listen_prob_scale=0.8, a higher --length-penalty 1.3, another server',
  ],
  ['legacy', 'a louder microphone, another server'],
] as const)(
  'parley talk says once that a server only listens, and what may help: %s',
  async (dialect, help) => {
    const stage = await new TalkCommandHarness().start('--mic', '--speaker', '--json');
    stage.live().session.emit({ event: 'session', id: 's', dialect });
    for (let second = 0; second < 18; second += 1) {
      await stage.pass(1000, second % 6 < 3 ? 0.3 : 0);
      stage.session.emit({ event: 'listen', yields: false });
    }
    const [line, ...more] = stage.linesOf('onlyListens');
    const seconds = Number(line?.['spokenSeconds']);
    expect([seconds >= 6, more]).toEqual([true, []]);
    expect(stage.err).toBe(
      `The server has heard ${seconds} s of speech and only listens. What may help: ${help}.\n`,
    );
    await stage.end();
  },
);

describe('keys in a talk', () => {
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
      expect(stage.err).toContain('; Ctrl-C closes the connection at once.\n');
    });
  });

  it('end the talk without a message if the reader of stdout is gone', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    await stage.signal('SIGPIPE');
    expect([stage.session.calls, stage.err]).toEqual([['end'], '']);
  });

  it('are not read with --json or in a pipe', async () => {
    const json = new TalkCommandHarness();
    json.screen = new FakeScreen(100);
    await json.start(...byVoice, '--json');
    const piped = await new TalkCommandHarness().start(...byVoice);
    expect([json.readsKeys, piped.readsKeys]).toEqual([false, false]);
  });
});

/** A clock whose timers are this many milliseconds late. */
function lateTimers(clock: FakeClock, by: number): Clock {
  return { now: clock.now, after: (ms, run) => clock.after(ms + by, run) };
}

describe('repeatAtIntervals', () => {
  it('catches up on missed calls without accumulating the delays, until it is stopped', () => {
    const clock = new FakeClock();
    const calls: number[][] = [];
    const stop = repeatAtIntervals(lateTimers(clock, 2500), 0, 1000, (count) => {
      calls.push([count, clock.now()]);
      if (count === 7) stop();
    });
    clock.advance(60_000);
    expect(calls.map(([count]) => count)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(calls.at(-1)?.[1]).toBeLessThan(10_000);
  });
});

describe('the end of a talk with a file', () => {
  const text = { event: 'text', turn: 1, text: 'hi' } as const;
  const turnEnded = { event: 'turnEnded', turn: 1 } as const;

  it('comes some time after the answer has ended and has been heard', () => {
    const end = new TalkEndDetector(2000);
    end.onEvent(text);
    expect(end.isOver(3000, false)).toBe(false);
    end.onEvent(turnEnded);
    expect(end.isOver(4000, false)).toBe(false);
    expect(end.isOver(4000 + quietAfterAnswerMs - 1, true)).toBe(false);
    expect(end.isOver(4000 + quietAfterAnswerMs, true)).toBe(true);
  });

  it('does not come after an answer during the input', () => {
    const end = new TalkEndDetector(5000);
    end.onEvent(text);
    end.onEvent(turnEnded);
    expect(end.isOver(2000, false)).toBe(false);
    expect(end.isOver(2100, true)).toBe(false);
    expect(end.isOver(5000 + quietAfterAnswerMs, true)).toBe(false);
    expect(end.isOver(5000 + answerTimeoutMs, true)).toBe(true);
  });
});
