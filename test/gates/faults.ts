import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../scripts/lib/root.mjs';

/** A fault to plant in a copy of the tree, and the gate that must catch it. */
export interface Fault {
  readonly title: string;
  readonly gate: string;
  /** A file named `planted` is new and gets a number; any other file replaces the real one. */
  readonly file: string;
  readonly code: string;
  readonly caught: RegExp;
}

/** Matches the message of a gate about a file that breaks this rule. */
function caughtBy(gate: string, file: string, rule: string): RegExp {
  if (rule.startsWith('/')) return new RegExp(rule.slice(1, -1));
  const place = file.replaceAll('/', '\\/').replaceAll('.', '\\.');
  return new RegExp(gate === 'layers' ? `error ${rule}: ${place}` : `${rule}[^[]*\\[${place}`);
}

/** Reads source-faults.txt: a title, then the gate, the file and the rule (or what the gate prints), then the code. */
const sourceFaults = readFileSync(join(import.meta.dirname, 'source-faults.txt'), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((text): Fault => {
    const [, title = '', gate = '', file = '', rule = '', code = ''] =
      /^(.+)\n([^:]+): (\S+) (.+)\n([^]+)$/.exec(text.trimEnd()) ?? [];
    return { title, gate, file, code: `${code}\n`, caught: caughtBy(gate, file, rule) };
  });

/** A real file with one change. */
function changed(file: string, from: string, to: string): Pick<Fault, 'file' | 'code'> {
  const text = readFileSync(inRoot(file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no "${from}" to plant a fault in.`);
  return { file, code: text.replace(from, to) };
}

/** Faults across files: contract, names, prose, call paths and unused code. */
const treeFaults: readonly Fault[] = [
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
      'electron/audio/playback/jitter-buffer.ts',
      'import { emitSilence, fadeCurve, fadeIn }',
      'import { emitSilence, fadeCurve }',
    ),
    caught: /electron\/audio\/dsp\/samples\.ts:\d+: only tests use "fadeIn"/,
  },
  {
    title: 'a file that grew past 400 lines',
    gate: 'lint',
    file: 'shared/planted.ts',
    code: Array.from({ length: 401 }, (_, at) => `export const planted${at} = ${at};\n`).join(''),
    caught: caughtBy('lint', 'shared/planted.ts', 'max-lines'),
  },
];

export const faults: readonly Fault[] = [...sourceFaults, ...treeFaults];
