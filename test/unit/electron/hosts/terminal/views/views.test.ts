import { describe, expect, it } from 'vitest';
import {
  chooseView,
  createJsonView,
} from '../../../../../../electron/hosts/terminal/views/choose-view.ts';
import {
  CaptionAssembler,
  type ViewEvent,
} from '../../../../../../electron/hosts/terminal/views/terminal-view.ts';
import { appError, sessionError } from '../../../../../../shared/errors/app-error.ts';
import { fakeTerminal, FakeScreen } from '../../../../../fakes/fake-terminal.ts';
import { jsonLine } from '../../../../../fakes/run-cli.ts';
import { linesThatFit } from '../../../../../../electron/hosts/terminal/views/display-width.ts';
import type { CaptionPatch } from '../../../../../../shared/talk/talk-view.ts';

const metrics: ViewEvent = {
  event: 'metrics',
  roundTripMs: 182,
  metrics: { contextTokens: 512, values: { kv_cache_length: 512, generate_ms: 1340 } },
};

function onScreen(kind: 'chat' | 'talk', screen: FakeScreen, events: readonly ViewEvent[]) {
  const errors: string[] = [];
  const err = (text: string): void => {
    errors.push(text);
    screen.write(text);
  };
  const view = chooseView(kind, { out: screen.write, err, screen }, false);
  const seen: (readonly string[])[] = [];
  for (const event of events) {
    view.show(0, event);
    seen.push(screen.shown());
  }
  view.end();
  return { seen, shown: screen.shown(), errors };
}

function piped(kind: 'chat' | 'talk', events: readonly ViewEvent[]) {
  const { terminal, written } = fakeTerminal();
  const view = chooseView(kind, terminal, false);
  for (const event of events) view.show(0, event);
  view.end();
  return written;
}

const talk: readonly ViewEvent[] = [
  { event: 'state', state: 'connecting' },
  { event: 'queue', position: 2, length: 3, etaSeconds: 20 },
  { event: 'state', state: 'configuring' },
  { event: 'state', state: 'live' },
  { event: 'text', turn: 1, text: 'Hello there.' },
  { event: 'audio', turn: 1, samples: 24_000 },
  metrics,
  { event: 'caption', turn: 1, spoken: 'Hello', upcoming: 'there.' },
  { event: 'turnEnded', turn: 1 },
  { event: 'caption', turn: 1, spoken: 'Hello there.', upcoming: '' },
  {
    event: 'closed',
    error: sessionError('user_stop'),
    by: 'client',
    orderly: true,
  },
];

describe('a talk on a screen', () => {
  it('rewrites one line, and ends the line after the turn has been heard', () => {
    const { seen, shown, errors } = onScreen('talk', new FakeScreen(80), talk);
    expect(seen.map((rows) => rows.at(-1))).toEqual([
      '‹Connecting›',
      '‹Waiting in the queue: place 2 of 3, about 20 s›',
      '‹Setting up the session›',
      '‹Listening›',
      '‹Listening›',
      '‹Listening›',
      '‹Listening›',
      'Hello‹ there.›',
      'Hello‹ there.›',
      '',
      '',
    ]);
    expect(shown).toEqual([
      'Hello there.',
      '‹  round trip 182 ms · generate 1.3 s · context 512 of 8192 tokens›',
      '',
    ]);
    expect(errors).toEqual([]);
  });

  it('shows that the talk is muted or paused, even beside an answer', () => {
    const controls = (muted: boolean, paused: boolean): ViewEvent => ({
      event: 'controls',
      muted,
      paused,
    });
    const { seen, shown } = onScreen('talk', new FakeScreen(60), [
      controls(true, false),
      { event: 'state', state: 'live' },
      { event: 'level', rmsDb: -20 },
      { event: 'caption', turn: 1, spoken: 'Hello', upcoming: 'there.' },
      controls(true, true),
      controls(true, false),
      { event: 'level', rmsDb: -20 },
      controls(false, false),
    ]);
    expect(seen.map((rows) => rows.at(-1))).toEqual([
      '',
      'Muted · ‹Parley does not hear you›',
      'Muted · ‹Parley does not hear you›',
      'Muted · Hello‹ there.›',
      '',
      '',
      '',
      '',
    ]);
    expect(shown).toEqual([
      'You are muted: Parley hears silence.',
      'Paused: nothing is sent.',
      'The talk continues, and you are muted.',
      'You are no longer muted.',
      '',
    ]);
  });

  it('breaks finished lines between words, or between characters of a script without spaces', () => {
    const say = (text: string): readonly ViewEvent[] => [{ event: 'text', turn: 1, text }, metrics];
    const english = 'This is a sentence that goes on, and on.';
    expect(onScreen('talk', new FakeScreen(25), say(english)).shown.slice(0, 3)).toEqual([
      'This is a sentence that',
      'goes on, and on.',
      '‹  round trip 182 ms ·›',
    ]);
    const chinese = '你好，我可以听见你说话，也可以看见。';
    // A terminal that does not know its width says 0.
    expect(onScreen('talk', new FakeScreen(0), say(english)).shown[0]).toBe(english);
    expect(onScreen('talk', new FakeScreen(23), say(chinese)).shown.slice(0, 2)).toEqual([
      '你好，我可以听见你说',
      '话，也可以看见。',
    ]);
  });

  it('shows the newest part of a long text, even with wide characters', () => {
    const spoken = '你好，我可以听见你说话，也可以看见你给我的图片。';
    const { seen } = onScreen('talk', new FakeScreen(21), [
      { event: 'caption', turn: 1, spoken, upcoming: '' },
    ]);
    expect(seen.at(-1)).toEqual(['…看见你给我的图片。']);
  });

  it('ends the line of an interrupted turn after its heard part', () => {
    const { shown } = onScreen('talk', new FakeScreen(60), [
      { event: 'text', turn: 1, text: 'One two three four.' },
      { event: 'caption', turn: 1, spoken: 'One two', upcoming: 'three four.' },
      { event: 'listen', flushedSamples: 9000 },
    ]);
    expect(shown).toEqual(['One two…', '']);
  });

  it('passes no control characters from a text', () => {
    const screen = new FakeScreen(60);
    onScreen('talk', screen, [
      { event: 'text', turn: 1, text: '\u001b[31mred\u0007\nand \u009b2Jclear' },
      { event: 'turnEnded', turn: 1 },
    ]);
    expect(screen.shown()).toEqual(['[31mred and 2Jclear', '']);
  });
});

describe('a talk that is piped', () => {
  it('prints one line a turn, and the rest to stderr', () => {
    expect(piped('talk', talk)).toEqual({
      out: 'Hello there.\n',
      err: 'Waiting in the queue: place 2 of 3, about 20 s.\n',
    });
  });

  it('keeps the received text when the connection is lost', () => {
    expect(
      piped('talk', [
        { event: 'text', turn: 1, text: 'Half a sen' },
        { event: 'closed', error: sessionError('connection_lost'), by: 'network', orderly: false },
      ]),
    ).toEqual({
      out: 'Half a sen\n',
      err: 'The connection was cut. Check the network and start again.\n',
    });
  });

  it('reports each problem once', () => {
    const dropped = (reason: 'slow' | 'paused'): ViewEvent => ({
      event: 'dropped',
      samples: 16_000,
      reason,
    });
    // The uplink has kept the sound of a pause.
    expect(piped('talk', [dropped('paused')]).err).toBe('');
    expect(piped('talk', [dropped('slow')]).err).toBe(
      'The server cannot keep up; 16000 samples were skipped.\n',
    );
    const error: ViewEvent = {
      event: 'error',
      error: appError('serverReports', { reason: 'inference_error' }, { detail: 'try\nagain' }),
      fatal: false,
    };
    expect(piped('talk', [error, error]).err).toBe(
      'The server reported an error (inference_error). Parley continues. The server says: try again\n',
    );
  });
});

describe('a chat', () => {
  const chat: readonly ViewEvent[] = [
    { event: 'state', state: 'live' },
    { event: 'text', turn: 1, text: 'One\n' },
    { event: 'text', turn: 1, text: 'two' },
    metrics,
    { event: 'done', text: 'One\ntwo', reason: 'turn_end' },
  ];

  it('shows its metrics below the text on a screen', () => {
    const { shown } = onScreen('chat', new FakeScreen(80), chat);
    expect(shown).toEqual([
      'One',
      'two',
      '‹round trip 182 ms · generate 1.3 s · context 512 of 8192 tokens›',
      '',
    ]);
  });
});

describe('a caption', () => {
  it.each<[string, readonly CaptionPatch[], readonly unknown[]]>([
    [
      'stays with a turn until it has been heard',
      [
        { turn: 1, added: 'one' },
        { turn: 2, added: 'two' },
        { turn: 1, heard: 3, settled: true },
        { turn: 2, heard: 3 },
      ],
      [
        [1, '', 'one'],
        [1, 'one', ''],
        [2, '', 'two'],
        [2, 'two', ''],
      ],
    ],
    [
      'omits cut text, and continues a cut turn after its heard text',
      [
        { turn: 1, added: 'one two three' },
        { turn: 1, heard: 7, cutFrom: 7, settled: true },
        { turn: 1, added: ' four' },
        { turn: 1, heard: 5 },
      ],
      [
        [1, '', 'one two three'],
        [1, 'one two', ''],
        [1, 'one two', 'four'],
        [1, 'one two four', ''],
      ],
    ],
    [
      'is not shown again for text far beyond what was heard',
      [
        { turn: 1, added: 'x'.repeat(1000) },
        { turn: 1, added: 'y' },
        { turn: 1, heard: 1 },
      ],
      [
        [1, '', 'x'.repeat(1000)],
        [1, 'x', `${'x'.repeat(999)}y`],
      ],
    ],
  ])('%s', (_what, patches, expected) => {
    const lines: unknown[] = [];
    const assembler = new CaptionAssembler(({ turn, spoken, upcoming }) => {
      lines.push([turn, spoken, upcoming]);
    });
    for (const patch of patches) assembler.patch(patch);
    expect(lines).toEqual(expected);
  });
});

function lines(events: readonly ViewEvent[]): readonly unknown[] {
  const { terminal, written } = fakeTerminal();
  const view = createJsonView(terminal);
  for (const event of events) view.show(12.4, event);
  view.end();
  return written.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
}

const allEvents: readonly ViewEvent[] = [
  { event: 'state', state: 'queued' },
  { event: 'queue', position: 2, length: 3, etaSeconds: 20, ticket: 'ticket_1' },
  {
    event: 'session',
    id: 'sess_1',
    dialect: 'legacy',
    runtimeMode: 'full_duplex',
    promptLength: 256,
  },
  { event: 'sent', inputId: 'a-1', samples: 16_000, frames: 1, forceListen: false },
  { event: 'text', turn: 1, text: 'hi' },
  { event: 'audio', turn: 1, samples: 24_000 },
  { event: 'caption', turn: 1, spoken: 'h', upcoming: 'i' },
  { event: 'turnEnded', turn: 1 },
  { event: 'listen', flushedSamples: 0 },
  { event: 'handedOver', heldMs: 294.298 },
  { event: 'onlyListens', dialect: 'unified', spokenSeconds: 9, steps: 14 },
  { event: 'done', text: 'hi', reason: 'turn_end' },
  {
    event: 'metrics',
    metrics: {
      contextTokens: 9,
      values: { kv_cache_length: 9, at: 3, event: 4 },
      usage: { inputText: 2, inputAudio: 7, outputText: 3, outputAudio: 25 },
    },
    roundTripMs: 12.5,
  },
  {
    event: 'error',
    error: appError('serverReports', { reason: 'inference_error' }, { detail: 'no' }),
    fatal: false,
    type: 'server_error',
  },
  { event: 'closed', error: sessionError('timeout'), by: 'server', orderly: true },
];

describe('--json', () => {
  it.each(allEvents)('$event has exactly the fields that scripts rely on', (event) => {
    const [line] = lines([event]);
    expect(jsonLine.safeParse(line).error?.issues ?? []).toEqual([]);
    expect(line).toMatchObject({ at: 12, event: event.event });
  });

  it('escapes control characters', () => {
    const { terminal, written } = fakeTerminal();
    const event = { event: 'text', turn: 1, text: '\u001b[2J\u009b1m\u202eb' } as const;
    createJsonView(terminal).show(0, event);
    expect(written.out).toBe(
      '{"at":0,"event":"text","turn":1,"text":"\\u001b[2J\\u009b1m\\u202eb"}\n',
    );
  });

  it('never lets a server’s value replace Parley’s fields', () => {
    const [line] = lines(allEvents.filter(({ event }) => event === 'metrics'));
    expect(line).toEqual({
      at: 12,
      event: 'metrics',
      kv_cache_length: 9,
      contextTokens: 9,
      inputTokens: 9,
      outputTokens: 28,
      roundTripMs: 12.5,
    });
  });
});

it.each([
  ['', 10, ['']],
  ['exactly so', 10, ['exactly so']],
  ['exactly soo', 10, ['exactly', 'soo']],
  ['one two', 3, ['one', 'two']],
  ['incomprehensibilities here', 10, ['incomprehe', 'nsibilitie', 's here']],
  ['你好世界', 5, ['你好', '世界']],
  ['你好，世界', 4, ['你', '好，', '世界']],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 2, ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦']],
])('linesThatFit breaks %j into lines of %i columns', (text, columns, lines) => {
  expect(linesThatFit(text, columns)).toEqual(lines);
});
