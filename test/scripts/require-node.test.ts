import { describe, expect, it } from 'vitest';
import { findVersionProblem } from '../../scripts/require-node.cjs';
import { expectSentence, makeTree, put, runScript } from './tree.ts';

describe('the Node version', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '23.0.0', '24.1.0', '26.0.0'])(
    'takes %s',
    (version) => expect(findVersionProblem(version)).toBeNull(),
  );

  it.each(['0.10.48', '6.17.1', '18.20.8', '20.18.3', '21.7.3', '22.0.0', '22.11.0', 'nonsense'])(
    'refuses %s, and says which version to install',
    (version) => {
      expect(findVersionProblem(version)).toBe(
        `Parley needs Node.js 20.19 or a later 20, or 22.12 or newer, and this is ${version}: install Node.js 22 LTS and run it again.`,
      );
    },
  );

  it.each(['start.mjs', 'dev.mjs', 'dist.mjs', 'parley.mjs'])(
    'stops %s before anything else',
    async (script) => {
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
    },
  );
});
