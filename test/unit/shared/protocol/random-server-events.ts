import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import type { CommonFields, ServerEvent } from '../../../../shared/protocol/server-event.ts';

/** Events that the dialect can carry without losing a part. */
export function randomServerEvent(random: () => number, dialect: DialectName): ServerEvent {
  const maybe = <Value>(value: Value): Value | undefined => (random() < 0.5 ? value : undefined);
  const audio = Float32Array.from({ length: 1 + random() * 20 }, () => random() - 0.5);
  const text = ['Hi', '今天', '"', '\\', '"audio":"AAAA"'][Math.floor(random() * 5)] ?? '';
  const unified = dialect === 'unified';
  const contextTokens = Math.floor(random() * 8192);
  const usage = maybe({ inputText: Math.floor(random() * 99), outputAudio: 1 });
  const known = {
    contextTokens: contextTokens === 0 ? (usage?.inputText ?? 0) : contextTokens,
    values: { kv_cache_length: contextTokens },
    usage,
    stepUsage: maybe({ inputAudio: 3, inputVision: 64, outputText: 2 }),
    stepIndex: maybe(Math.floor(random() * 9)),
  };
  const ids = { sessionId: maybe('s'), responseId: maybe('r'), inputId: maybe('i') };
  const timed = {
    ...ids,
    serverTime: maybe(Math.floor(random() * 2e12)),
    metrics: maybe(known),
  };
  const about: CommonFields = unified ? timed : { metrics: known };
  const sessionId = unified ? ids.sessionId : undefined;
  const events: readonly ServerEvent[] = [
    {
      kind: 'queued',
      stage: 'moved',
      position: maybe(3),
      length: maybe(4),
      etaSeconds: maybe(0.5),
    },
    { kind: 'admitted' },
    { kind: 'listen', wire: dialect, ...about },
    unified
      ? { kind: 'output', wire: dialect, ...(random() < 0.5 ? { text } : { audio }), ...about }
      : {
          kind: 'output',
          wire: dialect,
          text: maybe(text),
          audio: maybe(audio),
          endOfTurn: random() < 0.5,
          ...about,
        },
    { kind: 'closed', reason: text, diagnostic: maybe(text), sessionId },
    { kind: 'error', code: text, message: text, type: maybe('client_error') },
    unified
      ? { kind: 'done', text, reason: text, audio: maybe(audio), ...about }
      : { kind: 'created', promptLength: maybe(256), sessionId: maybe('rt_1') },
  ];
  return events[Math.floor(random() * events.length)] ?? { kind: 'admitted' };
}
