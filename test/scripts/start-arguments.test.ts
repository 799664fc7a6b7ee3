import { describe, expect, it } from 'vitest';
import { expectSentence, makeTree, put, runScript } from './tree.ts';
import { findVersionProblem } from '../../scripts/require-node.cjs';

const refused: readonly (readonly [string[], string])[] = [
  [['--desktop', '--browser'], 'Choose one of --desktop and --browser, not both.'],
  [['--port', '70000'], '--port takes a number from 0 to 65535, not "70000".'],
  [['--port'], '--port takes a number from 0 to 65535, not nothing.'],
  [['--desktop', '--port', '80'], '--port belongs to --browser and means nothing with --desktop.'],
  [['--fast'], 'Unknown option "--fast": run with --help to see the options.'],
];

describe('the options of npm start and npm run dev', () => {
  it.each(refused)('are refused with exit code 2: %j', async (args, sentence) => {
    const tree = makeTree();
    expectSentence(await runScript(tree, 'start.mjs', args), 2, sentence);
  });

  it('show the help without preparing anything', async () => {
    const ended = await runScript(makeTree(), 'start.mjs', ['--help']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('--no-sandbox');
  });
});

describe('the Node version', () => {
  it.each([
    ['20.19.0', true],
    ['22.12.0', true],
    ['23.0.0', true],
    ['0.10.48', false],
    ['20.18.3', false],
    ['21.7.3', false],
    ['22.11.0', false],
    ['nonsense', false],
  ])('%s is accepted: %s', (version, accepted) => {
    expect(findVersionProblem(version)).toBe(
      accepted
        ? null
        : `Parley needs Node.js 20.19 or a later 20, or 22.12 or newer, and this is ${version}: install Node.js 22 LTS and run it again.`,
    );
  });

  it.each(['start.mjs', 'parley.mjs'])('stops %s before anything else', async (script) => {
    const tree = makeTree();
    put(
      tree,
      'old.cjs',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
    );
    const check = script === 'parley.mjs' ? [] : ['-r', './scripts/require-node.cjs'];
    const ended = await runScript(tree, script, [], { node: ['-r', './old.cjs', ...check] });
    expectSentence(ended, 1, /and this is 18\.20\.8: install Node\.js 22 LTS/);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stdout).toBe('');
  });
});
