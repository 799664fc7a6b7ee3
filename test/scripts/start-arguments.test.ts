import { describe, expect, it } from 'vitest';
import { parseStartArguments } from '../../scripts/lib/start-arguments.mjs';
import { expectSentence, makeTree, runScript } from './tree.ts';

const refused: readonly (readonly [string[], string])[] = [
  [['--desktop', '--browser'], 'Choose one of --desktop and --browser, not both.'],
  [['--browser', '--desktop'], 'Choose one of --desktop and --browser, not both.'],
  [['--port', '70000'], '--port takes a number from 0 to 65535, not "70000".'],
  [['--port=no'], '--port takes a number from 0 to 65535, not "no".'],
  [['--port', '-1'], '--port takes a number from 0 to 65535, not "-1".'],
  [['--port'], '--port takes a number from 0 to 65535, not nothing.'],
  [['--desktop', '--port', '80'], '--port belongs to --browser and means nothing with --desktop.'],
  [['--fast'], 'Unknown option "--fast": run with --help to see the options.'],
  [['browser'], 'Unknown option "browser": run with --help to see the options.'],
];

describe('the options of npm start and npm run dev', () => {
  it.each(refused)('are refused with exit code 2: %j', async (args, sentence) => {
    const tree = makeTree();
    expectSentence(await runScript(tree, 'start.mjs', args), 2, sentence);
  });

  it('are checked in npm run dev, too', async () => {
    const ended = await runScript(makeTree(), 'dev.mjs', ['--desktop', '--browser']);
    expectSentence(ended, 2, 'Choose one of --desktop and --browser, not both.');
  });

  it('are parsed', () => {
    const read = parseStartArguments(['--browser', '--port=0', '--no-sandbox', '--yes']);
    expect(read).toEqual({ host: 'browser', port: 0, noSandbox: true, yes: true, help: false });
    expect(parseStartArguments([])).toEqual({
      host: 'auto',
      port: null,
      noSandbox: false,
      yes: false,
      help: false,
    });
  });

  it('show the help without preparing anything', async () => {
    const ended = await runScript(makeTree(), 'start.mjs', ['--help']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('--no-sandbox');
  });
});
