import {
  append,
  asReceived,
  bareAppend,
  bareDecode,
  client,
  delta,
  encodeDelta,
  kilobytes,
  server,
  wideDelta,
} from './protocol/protocol-cases.ts';

/** The limit: writing an 85 KB append and reading a 128 KB delta take less than 0.15 ms each. */
export function bench(): void {
  const appendText = asReceived(append());
  printMedians(`An append of one second, ${kilobytes(appendText)}`, [
    { name: 'encodeClientEvent', run: append },
    { name: 'bare base64 and JSON.stringify', run: bareAppend },
    { name: 'decodeClientEvent', run: () => server.decodeClientEvent(appendText, 'unified') },
    { name: 'bare JSON.parse', run: (): unknown => JSON.parse(appendText) },
  ]);
  printMedians(`An audio delta of 1.02 s, ${kilobytes(delta)}`, [
    { name: 'decodeServerEvent', run: () => client.decodeServerEvent(delta) },
    {
      name: 'decodeServerEvent, with Chinese text',
      run: () => client.decodeServerEvent(wideDelta),
    },
    { name: 'bare JSON.parse and base64', run: () => bareDecode(delta) },
    { name: 'bare JSON.parse and base64, with Chinese text', run: () => bareDecode(wideDelta) },
    { name: 'encodeServerEvent', run: encodeDelta },
  ]);
}

/** `run` is called repeatedly and must do the same work each time. */
interface Case {
  readonly name: string;
  readonly run: () => unknown;
}

const runs = 401;
const warmUps = 100;

/** Warms up and measures each case, and prints the medians. */
function printMedians(title: string, cases: readonly Case[]): void {
  const width = Math.max(...cases.map(({ name }) => name.length));
  const lines = cases.map(({ name, run }) => {
    const sorted = measure(run).toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(runs * share)] ?? 0).toFixed(3);
    return `  ${name.padEnd(width)}  ${at(0.5)} ms  (90 of 100 under ${at(0.9)} ms)`;
  });
  process.stdout.write(`${title}\n${lines.join('\n')}\n`);
}

function measure(run: () => unknown): readonly number[] {
  const times: number[] = [];
  for (let round = -warmUps; round < runs; round += 1) {
    const before = performance.now();
    run();
    if (round >= 0) times.push(performance.now() - before);
  }
  return times;
}
