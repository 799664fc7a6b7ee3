import { describe, expect, it } from 'vitest';
import { readGatewayScript } from '../../../../../../electron/hosts/terminal/commands/gateway-command.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';

async function read(content: string): Promise<unknown> {
  const files = new FakeFiles();
  files.put('faults.json', content);
  return readGatewayScript({ files }, 'faults.json');
}

describe('a script of faults', () => {
  it('is parsed', async () => {
    const faults = [
      { kind: 'delay', ms: 200, jitterMs: 50 },
      { kind: 'drop', session: 2, atStep: 3 },
      { kind: 'garbage', atStep: 1, what: 'nan' },
      { kind: 'refuse', status: 503, body: 'later' },
      { kind: 'handover403', session: 1 },
      { kind: 'error', atStep: 'admission', code: 'worker_busy' },
      { kind: 'closed', atStep: 'creation', reason: 'any at all' },
      { kind: 'wedge' },
      { kind: 'refusedField', field: 'beam_width' },
    ];
    expect(await read(JSON.stringify(faults))).toEqual(faults);
  });

  it.each([
    ['{', /^faults\.json is not JSON\.$/],
    ['{"kind":"drop"}', /^faults\.json must contain a list of faults/],
    ['[{"kind":"flood"}]', /^faults\.json has an error in fault 1, at kind: .+\.$/],
    ['[{"kind":"stall","atStep":1},{"kind":"drop"}]', /error in fault 2, at atStep: .+\.$/],
    [
      '[{"kind":"drop","atStep":"later"}]',
      /at atStep: must be a step number from 1, "admission" or "creation"\.$/,
    ],
    ['[{"kind":"drop","atStep":1,"at":2}]', /error in fault 1: .+\.$/],
  ])('is refused in one sentence: %s', async (content, sentence) => {
    await expect(read(content)).rejects.toThrow(sentence);
  });
});
