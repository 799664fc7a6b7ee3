import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedServer } from '../fakes/scripted-server.ts';
import type { FloodResult } from './flood-client.ts';
import { floodKinds, isFloodName, openFloodServer, type FloodName } from './flood-kinds.ts';

const here = (file: string): string => resolve(import.meta.dirname, file);

/** Runs a talk with each flood, a tenth of it and its ordinary answer, all in one child process. */
async function runTalks(server: ScriptedServer, where: string, kinds: readonly FloodName[]) {
  const root = `ws://127.0.0.1:${server.port}`;
  const places = kinds.flatMap((kind) => listSizes(kind).map((size) => `${root}/${kind}/${size}`));
  const warmUp = `${root}/hour/ordinary`;
  const child = fork(
    here('../contract/sound/run-module.mjs'),
    [here('flood-client.ts'), where, warmUp, ...places],
    { execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  const results = new Map<string, FloodResult>();
  child.on('message', (result: FloodResult) => {
    results.set(result.address.slice(root.length + 1), result);
  });
  await once(child, 'exit');
  return results;
}

/** With more pieces than this, a tenth of the flood takes long enough to compare with. */
const manyPieces = 10_000;

function hasManyPieces(kind: FloodName): boolean {
  return floodKinds[kind].flood.some(({ times }) => times > manyPieces);
}

function listSizes(kind: FloodName): readonly string[] {
  return hasManyPieces(kind) ? ['ordinary', 'tenth', 'flood'] : ['ordinary', 'flood'];
}

/**
 * Limit for the work of ten times the pieces: three times the value measured on a busy machine. Quadratic work would take
 * a hundred times as long.
 */
const maxGrowth = 15;

/**
 * How a flood must end. If it has few pieces, `work` limits its processor time relative to the ordinary answer: three
 * times the value measured on a busy machine.
 */
interface Bounds {
  readonly end: string;
  readonly work?: number;
}

const inTerminal: Readonly<Record<FloodName, Bounds>> = {
  words: { end: 'timeout' },
  letters: { end: 'timeout' },
  spaces: { end: 'timeout', work: 30 },
  'megabyte-of-spaces': { end: 'text_flood', work: 5 },
  samples: { end: 'timeout' },
  turns: { end: 'timeout' },
  hour: { end: 'sound_flood', work: 20 },
  'largest-frames': { end: 'timeout', work: 30 },
  list: { end: 'timeout' },
  headings: { end: 'timeout' },
  marks: { end: 'timeout', work: 150 },
  'largest-speech': { end: 'server_too_large', work: 5 },
  bomb: { end: 'server_too_large', work: 5 },
  errors: { end: 'error_flood' },
  deep: { end: 'timeout', work: 10 },
};

const inCore: Partial<typeof inTerminal> = {
  words: { end: 'timeout' },
  samples: { end: 'timeout' },
  turns: { end: 'timeout' },
  hour: { end: 'sound_flood', work: 20 },
  errors: { end: 'error_flood' },
};

const inChat: Partial<typeof inTerminal> = {
  words: { end: 'timeout' },
  samples: { end: 'timeout' },
  spaces: { end: 'timeout', work: 30 },
  'largest-speech': { end: 'timeout', work: 30 },
};

/** Copying all text for each of a hundred thousand pieces would need hundreds of megabytes more. */
const maxMegabytes = 260;

let server: ScriptedServer;

beforeAll(async () => {
  server = await openFloodServer();
});

afterAll(async () => {
  await server.end();
});

describe('a flood', () => {
  it.each([
    ['terminal', inTerminal],
    ['chat', inChat],
    ['core', inCore],
  ] as const)(
    'in the %s costs work in proportion to its size and bounded memory, and ends as expected',
    { timeout: 300_000 },
    async (where, bounds) => {
      const kinds = Object.keys(bounds).filter(isFloodName);
      const results = await runTalks(server, where, kinds);
      for (const kind of kinds) {
        const flood = results.get(`${kind}/flood`);
        const ordinary = results.get(`${kind}/ordinary`);
        if (flood === undefined || ordinary === undefined) throw new Error(`${kind} did not end`);
        process.stdout.write(`${where} ${kind}: ${row(flood)}; ordinary: ${row(ordinary)}\n`);
        const { end, work = 0 } = bounds[kind] ?? { end: '' };
        expect.soft(flood.end, kind).toContain(end);
        const tenth = results.get(`${kind}/tenth`);
        if (tenth === undefined)
          expect.soft(flood.cpuMs / ordinary.cpuMs, `${kind}: work`).toBeLessThan(work);
        else {
          const growth = flood.cpuMs / tenth.cpuMs;
          process.stdout.write(
            `${where} ${kind}: ${growth.toFixed(1)} times the work of a tenth\n`,
          );
          expect.soft(growth, `${kind}: growth of its work`).toBeLessThan(maxGrowth);
        }
        expect.soft(flood.megabytes, `${kind}: memory`).toBeLessThan(maxMegabytes);
        const ordinaryMs = Math.max(ordinary.busyMs, 40);
        expect
          .soft(flood.busyMs / ordinaryMs, `${kind}: longest task of the event loop`)
          .toBeLessThan(15);
      }
    },
  );
});

function row({ cpuMs, busyMs, pauseMs, megabytes }: FloodResult): string {
  const measured = [cpuMs, busyMs, pauseMs, megabytes].map((value) => value.toFixed(0));
  const [cpu = '', busy = '', pause = '', memory = ''] = measured;
  return `${cpu} ms of work, at most ${busy} ms at once (paused ${pause} ms), ${memory} MB`;
}
