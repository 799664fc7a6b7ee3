import { describe, expect, it } from 'vitest';
import { createJsonView } from '../../../../../../electron/hosts/terminal/views/choose-view.ts';
import type { ViewEvent } from '../../../../../../electron/hosts/terminal/views/terminal-view.ts';
import { appError } from '../../../../../../shared/errors/app-error.ts';
import { sessionError } from '../../../../../../shared/errors/session-reasons.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { jsonLine } from '../../../../../fakes/json-line.ts';

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

  it('leaves out events that are for users or the log', () => {
    expect(
      lines([
        { event: 'dropped', samples: 16_000 },
        { event: 'note', sentence: 'Speaker: "a".' },
        { event: 'level', rmsDb: -20 },
        { event: 'unknown', type: 'response.think' },
      ]),
    ).toEqual([]);
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
