import { readFileSync } from 'node:fs';
import { inRoot } from '../../scripts/lib/root.mjs';
import type { Fault } from './fault.ts';

/** A real file with one change. */
function changed(file: string, from: string, to: string): Pick<Fault, 'file' | 'code'> {
  const text = readFileSync(inRoot(file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no "${from}" to plant a fault in.`);
  return { file, code: text.replace(from, to) };
}

/** Faults across files: contract, names, prose, call paths and unused code. */
export const treeFaults: readonly Fault[] = [
  {
    title: 'a notice that the page does not handle',
    gate: 'types renderer',
    ...changed(
      'shared/ipc/app-ipc.ts',
      '  readonly libraryChecked:',
      '  readonly planted: true;\n  readonly libraryChecked:',
    ),
    caught: /renderer\/\S*apply-notice\.ts.*Property 'planted' is missing/,
  },
  {
    title: 'an exported name that exists elsewhere',
    gate: 'unique names',
    file: 'shared/planted.ts',
    code: 'export type Lifetime = 1;\n',
    caught: /"Lifetime" has 2 definitions:.* shared\/planted\.ts:1/,
  },
  {
    title: 'a retired word',
    gate: 'vocabulary',
    file: 'shared/planted.ts',
    code: 'export const openShutter = 1;\n',
    caught: /shared\/planted\.ts:1: "openShutter" has the retired word "shutter"/,
  },
  {
    title: 'a comment that begins with a forbidden word',
    gate: 'prose',
    file: 'shared/planted.ts',
    code: '// Of this.\n',
    caught: /shared\/planted\.ts:1: breaks the rule "opening" of docs\/writing\.md: Of this\./,
  },
  {
    title: 'a log line with an idiom',
    gate: 'prose',
    file: 'electron/planted.ts',
    code: "import type { Log } from '../shared/ports/log.ts';\n\nexport const planted = (log: Log): void => log.write('warn', 'nobody has caught: it');\n",
    caught:
      /electron\/planted\.ts:3: breaks the rule "name who or what failed" of docs\/writing\.md: nobody has caught: it/,
  },
  {
    title: 'a cast that accepts any value',
    gate: 'casts',
    file: 'test/unit/planted.ts',
    code: 'export const planted = {} as never;\n',
    caught: /test\/unit\/planted\.ts:1: "as never" passes a value/,
  },
  {
    title: 'a call path that the documents do not show',
    gate: 'call paths',
    file: 'docs/architecture.md',
    code: '# Architecture\n',
    caught:
      /click to silence: neither docs\/architecture\.md nor docs\/call-paths\.md shows this call path/,
  },
  {
    title: 'a member that nothing reads',
    gate: 'members',
    file: 'shared/planted.ts',
    code: 'export interface Planted {\n  readonly forNobody: number;\n}\n',
    caught: /shared\/planted\.ts:2: no shipped code reads "Planted\.forNobody"/,
  },
  {
    title: 'an export that only tests use',
    gate: 'test-only exports',
    ...changed(
      'electron/audio/playback/speaker-feed.ts',
      'import { appendToHistory, fadeCurve, fadeIn }',
      'import { appendToHistory, fadeCurve }',
    ),
    caught: /electron\/audio\/dsp\/samples\.ts:\d+: only tests use "fadeIn"/,
  },
];
