import { describe, expect, it } from 'vitest';
import { sessionError } from '../../../../../../shared/errors/session-reasons.ts';
import { englishErrorMessage } from '../../../../../../shared/i18n/en/errors.ts';
import { endedByUser, lost } from '../../../talk/conversation-harness.ts';
import { TalkCommandHarness } from './talk-command-harness.ts';
import { englishPresets } from '../../../../../../shared/i18n/en/prompts.ts';

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

  it('has the same volume, delays and log as a talk in the window', async () => {
    const stage = new TalkCommandHarness();
    const { audio } = stage.settings;
    stage.settings = { ...stage.settings, audio: { ...audio, inputVolume: 0.5 } };
    await stage.start(...byVoice);
    stage.live();
    await stage.pass(200, 0.5);
    expect(stage.session.heard.at(-1)).toBe(0.25);
    await stage.pass(60_000);
    const sent = { event: 'sent', samples: 16_000, frames: 0, forceListen: false } as const;
    stage.session.emit({ ...sent, inputId: '1' });
    stage.session.emit({ event: 'metrics', metrics: { values: {} } });
    expect(stage.log.lines).toEqual([expect.stringContaining('microphone→wire 30/30 ms (1)')]);
    await stage.end();
  });

  it('survives a lost network and reports it in one sentence', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.live().says('one two', 1).ends();
    await stage.pass(2000);
    stage.session.close(lost);
    await stage.pass(1000);
    stage.session.close(unreachable);
    await stage.pass(2000);
    expect(stage.sessions.length).toBe(3);
    expect(stage.session.options.settings.instructions).toContain('one two');
    stage.live().says('three', 1).ends();
    await stage.pass(2000);
    expect({ code: stage.code, out: stage.out, err: stage.err }).toEqual({
      code: undefined,
      out: 'one two\nthree\n',
      err: 'The session was lost (connection_lost); reconnecting.\n',
    });
    await stage.end();
    expect(stage.code).toBe(0);
  });

  it('reports a lost network in JSON by the next session’s states, and the end once', async () => {
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

  it('gives up reconnecting within five minutes, with exit code 1', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.live().session.close(lost);
    for (let waited = 0; waited < 300_000 && stage.code === undefined; waited += 1000) {
      stage.clock.advance(1000);
      if (stage.session.phase === 'connecting') stage.session.close(unreachable);
      await stage.pass(20);
    }
    expect(stage.code).toBe(1);
    expect(stage.err.split('\n')).toHaveLength(3);
  });

  it('ends at once with exit code 3 if its first session cannot connect', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.session.close(unreachable);
    await stage.pass(1000);
    expect(stage.code).toBe(3);
    expect(stage.sessions).toHaveLength(1);
  });

  it('plays out the received sound after the server’s end, unless Ctrl-C is pressed', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.live().says('one two three', 3).ends().session.close(timeLimit);
    await stage.pass(1000);
    expect(stage.code).toBe(undefined);
    await stage.pass(2500);
    expect(stage.code).toBe(0);
    const impatient = await new TalkCommandHarness().start(...byVoice);
    impatient.live().says('one two three', 3).ends().session.close(timeLimit);
    await impatient.pass(500);
    await impatient.ctrlC();
    await impatient.pass(100);
    expect(impatient.speaker.queued()).toBe(0);
    expect(impatient.code).toBe(0);
  });

  it('does not wait for a speaker that has stopped', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice);
    stage.live().says('one two', 1).ends();
    await stage.pass(200);
    stage.speaker.lost = true;
    stage.session.close(timeLimit);
    await stage.pass(2000);
    expect(stage.code).toBe(undefined);
    await stage.pass(2000);
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

  it('does not reconnect with a speaker either', async () => {
    const stage = await new TalkCommandHarness().start(...byFile, '--speaker');
    stage.live().session.close(lost);
    await stage.pass(100);
    expect({ code: stage.code, sessions: stage.sessions.length }).toEqual({ code: 1, sessions: 1 });
  });

  it('ends at once if its server is unreachable or busy', async () => {
    const away = await new TalkCommandHarness().start(...byFile);
    away.session.close(unreachable);
    await away.pass(100);
    expect(away.code).toBe(3);
    const busy = await new TalkCommandHarness().start(...byFile);
    busy.session.close({ ...lost, error: sessionError('worker_busy'), by: 'server' });
    await busy.pass(5000);
    expect({ code: busy.code, sessions: busy.sessions.length }).toEqual({ code: 1, sessions: 1 });
  });

  it('is sent to its end during an answer, which is not ducked', async () => {
    const stage = await new TalkCommandHarness().start(
      ...byFile,
      '--speaker',
      '--output',
      'f/o.wav',
    );
    stage.live().says('one two three four', 4).ends();
    await stage.pass(4500);
    expect(stage.speaker.gains).toEqual([]);
    expect(stage.speaker.heard()).toBeGreaterThanOrEqual(4 * 24_000);
    await stage.pass(2000);
    expect(stage.session.calls).toEqual(['end']);
    stage.session.close(endedByUser);
    await stage.pass(100);
    expect(stage.code).toBe(0);
    expect(stage.files.bytes('f/o.wav').length).toBeGreaterThan(2 * 4 * 24_000);
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

describe('a talk that begins muted', () => {
  it('sends silence in place of the microphone, and shows it', async () => {
    const stage = await new TalkCommandHarness().start(...byVoice, '--muted');
    stage.live();
    await stage.pass(400, 0.5);
    expect(stage.session.heard).toHaveLength(6400);
    expect(Math.max(...stage.session.heard)).toBe(0);
    expect(stage.err).toBe('You are muted: Parley hears silence.\n');
  });

  it('sends silence for a file, and reports that it is muted first in JSON', async () => {
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

describe('a talk with the model on this computer', () => {
  it.each([
    [0, 8],
    [2000, 4],
  ])('sends pictures with the pause of %i ms that its pace needs', async (minPauseMs, count) => {
    const stage = new TalkCommandHarness();
    const { endpoints } = stage.settings;
    stage.settings = { ...stage.settings, endpoints: { ...endpoints, chosen: 'computer' } };
    stage.minPauseMs = minPauseMs;
    await stage.start('--mode', 'video', '--mic', '--frame', 'f/a.jpg');
    stage.live();
    await stage.pass(8000);
    expect(stage.session.calls.filter((call) => call.startsWith('see'))).toHaveLength(count);
    await stage.end();
  });

  it('sends pictures without a pause to another server', async () => {
    const stage = new TalkCommandHarness();
    stage.minPauseMs = 2000;
    await stage.start('--mode', 'video', '--mic', '--frame', 'f/a.jpg');
    stage.live();
    await stage.pass(8000);
    expect(stage.session.calls.filter((call) => call.startsWith('see'))).toHaveLength(8);
    await stage.end();
  });
});

describe('the options of a talk', () => {
  it('are sent to the server', async () => {
    const how = [
      '--mode',
      'video',
      '--slices',
      '4',
      '--length-penalty',
      '1.3',
      '--preset',
      'coach',
    ];
    const fields = ['--config', 'top_k=5', '--config', 'ls_mode=explicit', '--yielding', 'never'];
    const stage = await new TalkCommandHarness().start(...byVoice, ...how, ...fields);
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
    [['--warnings'], ['The model can remember 15 more seconds of this session.']],
    [[], []],
  ] as const)('warn of the context limit only with --warnings (%j)', async (options, warnings) => {
    const stage = await new TalkCommandHarness().start(...byVoice, ...options);
    stage.live();
    stage.session.emit({ event: 'metrics', metrics: { contextTokens: 7936, values: {} } });
    await stage.pass(100);
    expect(stage.err.split('\n').filter((line) => line.includes('remember'))).toEqual(warnings);
    await stage.end();
  });

  it('warn earlier with the model on this computer, whose context is smaller', async () => {
    const stage = new TalkCommandHarness();
    const { endpoints } = stage.settings;
    stage.settings = { ...stage.settings, endpoints: { ...endpoints, chosen: 'computer' } };
    await stage.start(...byVoice, '--warnings');
    stage.live();
    stage.session.emit({ event: 'metrics', metrics: { contextTokens: 3840, values: {} } });
    await stage.pass(100);
    expect(stage.err).toContain('The model can remember');
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
    for (const json of [[], ['--json']]) {
      const stage = await new TalkCommandHarness().start('--mic', '--speaker', ...json);
      stage.live().session.emit({ event: 'session', id: 's', dialect });
      for (let second = 0; second < 18; second += 1) {
        await stage.pass(1000, second % 6 < 3 ? 0.3 : 0);
        stage.session.emit({ event: 'listen', yields: false });
      }
      const [, seconds, said] =
        /^The server has heard (\d+) s of speech and only listens\. What may help: (.+)\.\n$/.exec(
          stage.err,
        ) ?? [];
      expect([Number(seconds) >= 6, said]).toEqual([true, help]);
      if (json.length > 0) {
        const [line, ...more] = stage.linesOf('onlyListens');
        expect([line?.['spokenSeconds'], more]).toEqual([Number(seconds), []]);
      }
      await stage.end();
    }
  },
);
