import {
  append,
  bareAppend,
  bareDecode,
  client,
  delta,
  wideDelta,
} from '../protocol/protocol-cases.ts';
import { runInTurns } from './row.ts';
import type { Row } from './row.ts';

const rounds = 21;
const times = 20;

const each = (run: () => unknown) => (): number => {
  const before = performance.now();
  for (let time = 0; time < times; time += 1) run();
  return (performance.now() - before) / times;
};

async function compare(
  id: string,
  what: string,
  ours: () => unknown,
  bare: () => unknown,
): Promise<Row> {
  const found = await runInTurns(rounds, {
    baseline: each(bare),
    ours: each(ours),
    again: each(bare),
  });
  return { id, section: 'Protocol', what, unit: 'ms', beside: 'bare JSON and base64', ...found };
}

/** Encodes and decodes a second of sound. */
export const measureProtocol = async (): Promise<readonly Row[]> => [
  await compare('protocol.append', 'encoding a second of sound for the server', append, bareAppend),
  await compare(
    'protocol.delta',
    'decoding a second of an answer',
    () => client.decodeServerEvent(delta),
    () => bareDecode(delta),
  ),
  await compare(
    'protocol.wideDelta',
    'the same with Chinese text in it',
    () => client.decodeServerEvent(wideDelta),
    () => bareDecode(wideDelta),
  ),
];
