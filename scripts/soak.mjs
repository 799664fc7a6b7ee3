import { parseArgs } from 'node:util';
import { planE2e } from './lib/e2e-projects.mjs';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';

// A long talk with the camera at real speed, in the real window: npm run soak -- [--minutes M] [--json FILE]
// `parley talk` with each kind of server, all at once: npm run soak -- talks [--minutes M] [--with MANNERS,…]

const usage =
  'npm run soak -- [--minutes M] [--json FILE], M a number above 2, or npm run soak -- talks [--minutes M] [--with documented,deployed,older,llama-omni].';

const asked = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { minutes: { type: 'string' }, json: { type: 'string' }, with: { type: 'string' } },
    });
    const [what = 'window', ...more] = positionals;
    const minutes = Number(values.minutes ?? (what === 'talks' ? 5 : 3));
    const least = what === 'talks' ? 0 : 2;
    if (minutes > least && more.length === 0 && ['window', 'talks'].includes(what))
      return { what, minutes, file: values.json, manners: values.with?.split(',') };
  } catch {
    // Said below.
  }
  throw new Stop(usage, 2);
};

/** @param {{ minutes: number, manners: readonly string[] | undefined }} asked */
const soakTalks = async ({ minutes, manners }) => {
  /** @type {typeof import('../test/soak/talks/run-talks.ts')} */
  const module = await loadModule(inRoot('test', 'soak', 'talks', 'run-talks.ts'));
  const known = module.allTalkServers;
  const wanted = known.filter((manner) => manners?.includes(manner) ?? true);
  if (wanted.length !== (manners ?? known).length) throw new Stop(usage, 2);
  const verdicts = await module.runTalks({ seconds: minutes * 60, with: wanted, first: true });
  say(module.talksTable(verdicts));
  if (verdicts.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
};

await main(async () => {
  const { what, minutes, file, manners } = asked();
  await prepare();
  if (what === 'talks') return soakTalks({ minutes, manners });
  const { projects, skipped, env, end } = await planE2e();
  try {
    if (!projects.includes('desktop'))
      throw new Stop(skipped.find(({ project }) => project === 'desktop')?.reason ?? 'No window.');
    Object.assign(process.env, env);
    /** @type {typeof import('../test/soak/run-soak.ts')} */
    const module = await loadModule(inRoot('test', 'soak', 'run-soak.ts'));
    const findings = await module.runSoak({ minutes, say, file });
    for (const { what, limit, found, met } of findings)
      say(`${met ? 'kept  ' : 'BROKEN'}  ${what} (${limit}): ${found}`);
    if (findings.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    end();
  }
});
