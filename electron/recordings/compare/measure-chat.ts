import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { MeasuredAnswer } from '../../../shared/recordings/tape-comparison.ts';
import type { Tape } from '../tape/tape.ts';
import { type MeasuredTalk, toPercentiles } from './measure-talk.ts';

interface Codecs {
  readonly ours: Pick<ServerCodec, 'decodeClientEvent'>;
  readonly server: Pick<ClientCodec, 'decodeServerEvent'>;
}

/** Measures a written conversation from its wire frames, because such tapes cannot be rendered. */
export function measureChat(
  { header, lines, frame }: Tape,
  { ours, server }: Codecs,
): MeasuredTalk {
  const answerTo = new Map<number | undefined, number>();
  const answers: MeasuredAnswer[] = [];
  const errorCodes: string[] = [];
  const questionTimes: number[] = [];
  for (const line of lines) {
    if (!('frame' in line)) continue;
    const text = JSON.stringify(frame(line.frame));
    if (line.dir === 'out') {
      if (ours.decodeClientEvent(text, 'unified').kind === 'chat') questionTimes.push(line.at);
      continue;
    }
    const event = server.decodeServerEvent(text);
    if (event.kind === 'error') errorCodes.push(event.code);
    const answerText = event.kind === 'output' || event.kind === 'done' ? (event.text ?? '') : '';
    const spokeUntil = questionTimes.at(-1);
    if (answerText === '' || spokeUntil === undefined) continue;
    const known = answers[answerTo.get(questionTimes.length - 1) ?? -1];
    if (known === undefined) {
      answerTo.set(questionTimes.length - 1, answers.length);
      const latencyMs = Math.round(line.at - spokeUntil);
      answers.push({ at: line.at, text: answerText, spokeUntil, latencyMs, cut: false });
    } else if (event.kind === 'output') {
      // A `done` event is ignored, because it repeats the whole text.
      answers[answers.length - 1] = { ...known, text: known.text + answerText };
    }
  }
  const { mode, endpoint: from, recordedAt } = header;
  return {
    // Written questions have no length; equal ones make two conversations pair by order.
    speech: questionTimes.map((_, index) => ({ from: 1000 * index, to: 1000 * index + 500 })),
    answerTo,
    measures: {
      mode,
      server: from,
      recordedAt,
      lengthMs: Math.round(lines.at(-1)?.at ?? 0),
      answers,
      latencyMs: toPercentiles(answers.flatMap(({ latencyMs }) => latencyMs ?? [])),
      interruptions: 0,
      reconnects: 0,
      troubles: errorCodes,
      limits: [],
      ending: undefined,
    },
  };
}
