import { main } from './lib/main.mjs';
import { npm } from './lib/npm.mjs';
import { rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';
import { judgeAdvisories } from './package/judge-advisories.mjs';
import { shippedParts } from './package/licence-texts.mjs';

// `npm run advisories` asks the registry for known faults. Electron and what is bundled into the page are development
// dependencies to npm and shipped to people, so that they are judged by the bill of materials.
await main(async () => {
  const { output } = await npm(['audit', '--json', '--audit=true', '--loglevel=silent'], rootDir);
  /** @type {import('./package/judge-advisories.mjs').AuditReport} */
  const report = JSON.parse(output.slice(output.indexOf('{')) || '{}');
  const parts = await shippedParts('', rootDir);
  const verdict = judgeAdvisories(report, new Set(parts.map(({ name }) => name)));
  if ('reason' in verdict) {
    throw new Stop(`The registry was asked for advisories in vain: ${verdict.reason}.`);
  }
  for (const line of verdict.told) say(`Known, and no reason to wait: ${line}`);
  if (verdict.stops.length > 0) {
    throw new Stop(`Shipped with known faults: ${verdict.stops.join('\n')}`);
  }
  say(`None of the ${parts.length} parts of a package has a grave fault that is known.`);
});
