import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { runCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';

// Libraries that the process reports as loaded at its end.
const tellLibraries = `
process.on('exit', () => {
  const { sharedObjects } = process.report.getReport();
  process.stderr.write('vips: ' + sharedObjects.some((name) => /vips/.test(name)) + '\\n');
});
`;

it('a command decodes pictures outside the process that has the token', async () => {
  const file = workFolder();
  const [probe, picture] = [file('probe.cjs'), file('red.jpg')];
  await writeFile(probe, tellLibraries);
  await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
    .jpeg()
    .toFile(picture);
  const ended = await runCli(['chat', 'What is it?', '--image', picture], '', {
    ...process.env,
    NODE_OPTIONS: `--require ${probe}`,
  });
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('64 by 48') as string });
  expect(ended.err).toContain('vips: false');
});
