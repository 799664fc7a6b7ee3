import { withScreen } from './lib/e2e-projects.mjs';
import { loadModule } from './lib/load-module.mjs';
import { main } from './lib/main.mjs';
import { parseOptions } from './lib/options.mjs';
import { prepare } from './lib/prepare.mjs';
import { inRoot } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop, wrongUsage } from './lib/stop.mjs';

// A long real-time talk with camera in the real window: npm run soak -- [--minutes M] [--json FILE]
// `parley talk` with each kind of server at once: npm run soak -- talks [--minutes M] [--with SERVER,…]

const usage =
  'Usage: npm run soak -- [--minutes M] [--json FILE], with M above 2, or npm run soak -- talks [--minutes M] [--with documented,deployed,older,llama-omni].';

const readOptions = () => {
  const { values, positionals } = parseOptions(usage, {
    allowPositionals: true,
    options: { minutes: { type: 'string' }, json: { type: 'string' }, with: { type: 'string' } },
  });
  const [subject = 'window', ...more] = positionals;
  const minutes = Number(values.minutes ?? (subject === 'talks' ? 5 : 3));
  const min = subject === 'talks' ? 0 : 2;
  if (minutes > min && more.length === 0 && ['window', 'talks'].includes(subject))
    return { subject, minutes, file: values.json, serverKinds: values.with?.split(',') };
  throw new Stop(usage, wrongUsage);
};

/** @param {{ minutes: number, serverKinds: readonly string[] | undefined }} options */
const soakTalks = async ({ minutes, serverKinds }) => {
  /** @type {typeof import('../test/soak/talks/run-talks.ts')} */
  const module = await loadModule(inRoot('test', 'soak', 'talks', 'run-talks.ts'));
  const known = module.allTalkServers;
  const selected = known.filter((kind) => serverKinds?.includes(kind) ?? true);
  if (selected.length !== (serverKinds ?? known).length) throw new Stop(usage, wrongUsage);
  const verdicts = await module.runTalks({ seconds: minutes * 60, with: selected, first: true });
  say(module.talksTable(verdicts));
  if (verdicts.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
};

await main(async () => {
  const { subject, minutes, file, serverKinds } = readOptions();
  await prepare();
  if (subject === 'talks') return soakTalks({ minutes, serverKinds });
  await withScreen(async () => {
    /** @type {typeof import('../test/soak/run-soak.ts')} */
    const module = await loadModule(inRoot('test', 'soak', 'run-soak.ts'));
    const findings = await module.runSoak({ minutes, say, file });
    for (const { what, limit, found, met } of findings)
      say(`${met ? 'kept  ' : 'BROKEN'}  ${what} (${limit}): ${found}`);
    if (findings.some(({ met }) => !met)) process.exitCode = 1;
  });
});
