import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { planE2e } from './lib/e2e-projects.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot, rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// A long talk with the camera at real speed, in the real window: npm run soak -- [--minutes M] [--json FILE]

const usage = 'npm run soak -- [--minutes M] [--json FILE], M a number above 2.';

const asked = () => {
  try {
    const { values } = parseArgs({
      options: { minutes: { type: 'string', default: '3' }, json: { type: 'string' } },
    });
    return { minutes: Number(values.minutes), file: values.json };
  } catch {
    throw new Stop(usage, 2);
  }
};

await main(async () => {
  const { minutes, file } = asked();
  if (!(minutes > 2)) throw new Stop(usage, 2);
  await prepare();
  const { projects, skipped, env, end } = await planE2e();
  try {
    if (!projects.includes('desktop'))
      throw new Stop(skipped.find(({ project }) => project === 'desktop')?.reason ?? 'No window.');
    Object.assign(process.env, env);
    /** @type {{ module: typeof import('../test/soak/run-soak.ts') }} */
    const { module } = await runnerImport(inRoot('test', 'soak', 'run-soak.ts'), {
      root: rootDir,
      configFile: false,
      logLevel: 'error',
    });
    const findings = await module.runSoak({ minutes, say, file });
    for (const { what, limit, found, met } of findings)
      say(`${met ? 'kept  ' : 'BROKEN'}  ${what} (${limit}): ${found}`);
    if (findings.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    end();
  }
});
