import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  compareTalks,
  pairSpeech,
  toPercentiles,
  type MeasuredTalk,
} from '../../../../electron/recordings/compare/compare-talks.ts';
import {
  defaultComparisonBounds,
  differencesBeyond,
  type MeasuredAnswer,
} from '../../../../shared/recordings/tape-comparison.ts';
import { chatTranscript } from '../../../../electron/recordings/export/chat-transcript.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import {
  toPlainTranscript,
  transcriptFromTape,
} from '../../../../electron/recordings/export/talk-transcript.ts';
import { RenderedTape } from '../../../../electron/recordings/replay/rendered-tape.ts';
import { englishTranscript } from '../../../../shared/i18n/en/core-messages.ts';
import { chineseCore } from '../../../../shared/i18n/zh/core-messages.ts';
import {
  SavedFolder,
  toFileName,
} from '../../../../electron/recordings/export/export-controller.ts';
import { unwrapAnswer } from '../../../fakes/unwrap.ts';
import type { TalkRecord } from '../../../../shared/recordings/talk-record.ts';
import type { ChatThread, ToolCall } from '../../../../shared/chat/chat-thread.ts';

/** Speech segments from start and length in seconds. */
const speech = (...stretches: readonly (readonly [number, number])[]) =>
  stretches.map(([from, length]) => ({ from: from * 1000, to: (from + length) * 1000 }));

const userSpeech = speech([1, 2], [10, 1.2], [20, 3]);

/** A talk with answers by the index of the speech that they answer; `unasked` comes first. */
function talk(
  said: MeasuredTalk['speech'],
  answers: Readonly<Record<number | 'unasked', string> | Record<number, string>>,
  { latencyMs = 800, troubles = [] as readonly string[] } = {},
): MeasuredTalk {
  const answerTo = new Map<number | undefined, number>();
  const list = Object.entries(answers).map(([key, text], index): MeasuredAnswer => {
    const to = key === 'unasked' ? undefined : Number(key);
    answerTo.set(to, index);
    const spokeUntil = to === undefined ? undefined : said[to]?.to;
    const delay = spokeUntil === undefined ? undefined : latencyMs;
    return { at: (spokeUntil ?? 0) + latencyMs, text, spokeUntil, latencyMs: delay, cut: false };
  });
  return {
    speech: said,
    answerTo,
    measures: {
      mode: 'audio',
      server: 'wss://one.example/',
      recordedAt: '2026-01-02T03:04:05.000Z',
      lengthMs: 30_000,
      answers: list,
      latencyMs: toPercentiles(list.flatMap((answer) => answer.latencyMs ?? [])),
      interruptions: 0,
      reconnects: 0,
      troubles,
      limits: [],
      ending: undefined,
    },
  };
}

describe('pairing the speech of two talks', () => {
  const inOrder = [0, 1, 2].map((at) => [at, at]);
  const later = (ms: number) =>
    userSpeech.map(({ from, to }) => ({ from: from + ms, to: to + ms }));

  it('pairs the same speech at any offset', () => {
    expect(pairSpeech(userSpeech, later(7300))).toEqual(inOrder);
  });

  it('leaves speech unpaired that only one talk has, at any position', () => {
    const [, ...withoutFirst] = later(4000);
    expect(pairSpeech(userSpeech, withoutFirst)).toEqual([
      [0, undefined],
      [1, 0],
      [2, 1],
    ]);
    expect(pairSpeech(withoutFirst, userSpeech)[0]).toEqual([undefined, 0]);
    expect(pairSpeech(userSpeech, userSpeech.toSpliced(1, 1))).toContainEqual([1, undefined]);
    expect(pairSpeech(userSpeech, [])).toHaveLength(3);
  });
});

describe('the difference between two talks', () => {
  const one = talk(userSpeech, { 0: 'red', 1: 'green' });
  const differs = (other: MeasuredTalk, bounds = defaultComparisonBounds) =>
    differencesBeyond(compareTalks(one, other), bounds);

  it('includes missing answers beyond the allowed number', () => {
    const other = talk(userSpeech, { 0: 'red green' });
    expect(differs(other)).toEqual(['answers']);
    expect(differs(other, { ...defaultComparisonBounds, maxMissing: 1 })).toEqual([]);
    // An additional answer is not a missing one.
    expect(differencesBeyond(compareTalks(other, one), defaultComparisonBounds)).toEqual([]);
  });

  it('includes latency above the allowed ratio and the measuring error', () => {
    const said = { 0: 'red', 1: 'green' };
    expect(differs(talk(userSpeech, said, { latencyMs: 1300 }))).toEqual(['latency']);
    expect(differs(talk(userSpeech, said, { latencyMs: 1100 }))).toEqual([]);
    const fast = talk(userSpeech, said, { latencyMs: 50 });
    const slower = talk(userSpeech, said, { latencyMs: 150 });
    expect(differencesBeyond(compareTalks(fast, slower), defaultComparisonBounds)).toEqual([]);
  });

  it('includes other words and new troubles', () => {
    const said = { 0: 'red', 1: 'green' };
    expect(differs(talk(userSpeech, { 0: 'yes', 1: 'no' }))).toEqual(['words']);
    expect(differs(talk(userSpeech, said, { troubles: ['closed'] }))).toEqual(['troubles']);
  });
});

const done = { kind: 'done', cutShort: false } as const;
const chat: ChatThread = {
  id: 'one',
  title: 'Tea *for* two',
  createdAt: 0,
  updatedAt: 60_000,
  pinned: false,
  turns: [
    {
      role: 'user',
      id: 'q',
      at: 0,
      parts: [
        { type: 'text', text: '# No heading\n1. no list' },
        { type: 'image', media: 'secret-id' },
        { type: 'audio', media: 'other-id', seconds: 3 },
      ],
    },
    {
      role: 'assistant',
      id: 'a',
      at: 1,
      text: '- **green**\n- black',
      state: done,
      speechSeconds: 0,
    },
    {
      role: 'assistant',
      id: 'b',
      at: 2,
      text: 'Half',
      state: { kind: 'failed', error: appError('answerCutByCrash') },
      speechSeconds: 0,
    },
  ],
  branches: [{ id: 'x', turns: [] }],
};

/** Swedish writes times like ISO 8601. */
const local = (ms: number): string =>
  new Date(ms).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

const written = (ms: number): string => new Date(ms).toISOString();

describe('the transcript of a written conversation', () => {
  it('keeps the Markdown of answers and escapes questions', () => {
    expect(chatTranscript(chat, 'md', englishTranscript, written)).toBe(
      [
        '# Tea \\*for\\* two',
        local(0),
        '**You**',
        '\\# No heading  \n1\\. no list',
        '*picture*',
        '*sound clip*',
        '**Parley**',
        '- **green**\n- black',
        '**Parley**',
        'Half',
        '*not finished*\n',
      ].join('\n\n'),
    );
  });

  it('escapes a call of a tool in Markdown only', () => {
    const call: ToolCall = {
      id: 'c',
      at: 0,
      callName: 'clock',
      tool: 'Clock',
      server: '',
      args: '{"zone":"a_b"}',
      state: 'done',
      isRisky: false,
      response: '*noon*',
    };
    const answer = { role: 'assistant', id: 'a', at: 1, text: '', state: done } as const;
    const asked: ChatThread = {
      ...chat,
      turns: [{ ...answer, speechSeconds: 0, calls: [call] }],
    };
    const exportAs = (format: 'md' | 'txt'): string =>
      chatTranscript(asked, format, englishTranscript, written);
    expect(exportAs('txt')).toContain('Clock {"zone":"a_b"} → *noon*)');
    expect(exportAs('md')).toContain(String.raw`Clock {"zone":"a\_b"} → \*noon\**`);
  });

  it('is also available as plain text and as JSON without internal ids', () => {
    const text = chatTranscript({ ...chat, title: ' ' }, 'txt', englishTranscript, written);
    expect(text).toContain(`A conversation with Parley\n${local(0)}\n`);
    expect(text).toContain('You:\n# No heading\n1. no list\n(picture)\n(sound clip)\n\nParley:\n');
    const json = chatTranscript(chat, 'json', englishTranscript, written);
    expect(json).not.toContain('-id');
    expect(JSON.parse(json)).toMatchObject({
      format: 'parley-chat-transcript',
      turns: [
        {
          by: 'person',
          parts: [{ text: '# No heading\n1. no list' }, { type: 'image' }, { seconds: 3 }],
        },
        { by: 'parley', state: 'done' },
        { by: 'parley', text: 'Half', state: 'failed' },
      ],
    });
  });
});

it('the transcript of a talk names a built-in server in the language of the user', () => {
  const talk = (server: string) =>
    toPlainTranscript({ mode: 'audio', server, recordedAt: '', lines: [] }, chineseCore.transcript);
  expect(talk('embedded')).toContain('演示');
  expect(talk('computer')).toContain('这台电脑上的模型');
  expect(talk('wss://studio:8006')).toContain('wss://studio:8006');
});

describe('the transcript of a taped talk', () => {
  const begunAt = Date.UTC(2026, 0, 2, 3, 0, 0);
  const turn = (by: 'person' | 'parley', at: number, text: string) => ({
    by,
    at,
    text,
    heard: text.length,
  });
  const record: TalkRecord = {
    title: '',
    pinned: false,
    mode: 'audio',
    server: { name: 'studio' },
    begunAt,
    savedAt: begunAt + 610_000,
    turns: [
      turn('person', 1000, 'Hello.'),
      turn('parley', 3000, 'Hi!'),
      turn('person', 600_000, 'Goodbye.'),
    ],
    pictures: [],
    events: [],
  };
  const textsOf = (recordedAt: number) =>
    transcriptFromTape(
      new RenderedTape(120_000),
      { mode: 'audio', endpoint: 'wss://studio', recordedAt: new Date(recordedAt).toISOString() },
      record,
    ).lines.map(({ at, text }) => `${at} ${text}`);

  it('has the user’s words at the times of the tape, which begins before the talk', () => {
    expect(textsOf(begunAt - 400)).toEqual(['1400 Hello.', '600400 Goodbye.']);
  });

  it('has the whole talk if the tape holds only its last minutes', () => {
    expect(textsOf(begunAt + 500_000)).toEqual(['1000 Hello.', '3000 Hi!', '600000 Goodbye.']);
  });
});

it('the transcript of a talk has the local time in its title, as the window does', () => {
  const recordedAt = '2026-01-02T03:04:05.000Z';
  vi.stubEnv('TZ', 'Asia/Shanghai');
  onTestFinished(() => void vi.unstubAllEnvs());
  const talk = { mode: 'audio', server: 'wss://studio:8006', recordedAt, lines: [] } as const;
  expect(toPlainTranscript(talk, englishTranscript)).toContain(', 2026-01-02 11:04\n');
  expect(toPlainTranscript({ ...talk, recordedAt: 'unknown' }, englishTranscript)).toContain(
    ', unknown\n',
  );
});

describe('the file name of an export', () => {
  it.each([
    ['Grandmother’s recipe', 'Grandmother’s recipe.md'],
    ['../../etc/passwd', 'etc passwd.md'],
    ['C:\\secret?*|<>"', 'C secret.md'],
    ['two\nlines\u0000and\u202Eback', 'two lines and back.md'],
    ['', 'Parley.md'],
    ['con', 'Parley con.md'],
    ['绿茶怎么泡？', '绿茶怎么泡？.md'],
    ['x'.repeat(100), `${'x'.repeat(80)}.md`],
    // File systems allow 255 bytes.
    ['🍵'.repeat(100), `${'🍵'.repeat(50)}.md`],
  ])('is visible and valid on every system: for %j, %j', (title, name) => {
    expect(toFileName(title, 'md')).toBe(name);
  });
});

const file = (path: string) => ({ ok: true, value: { kind: 'file', path } }) as const;

describe('the folder of the latest export', () => {
  it('is opened, and is not replaced by a browser download', async () => {
    const opened: string[] = [];
    const saved = new SavedFolder((path) => {
      opened.push(path);
      return Promise.resolve(true);
    });
    saved.remember(file('/home/someone/talks/a.zip'));
    saved.remember({ ok: true, value: { kind: 'download', href: '/once', name: 'b.zip' } });
    expect(await unwrapAnswer(saved.show())).toEqual({ path: '/home/someone/talks', opened: true });
    expect(opened).toEqual(['/home/someone/talks']);
  });

  it('is returned, with either path separator, if the host cannot open it, and refused before an export', async () => {
    const saved = new SavedFolder(undefined);
    await expect(unwrapAnswer(saved.show())).rejects.toThrow('Nothing has been saved');
    saved.remember(file('C:\\Users\\someone\\a.zip'));
    expect(await unwrapAnswer(saved.show())).toEqual({ path: 'C:\\Users\\someone', opened: false });
  });
});
