import { main } from './lib/main.mjs';
import { npm } from './lib/npm.mjs';
import { rootDir } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { Stop } from './lib/stop.mjs';
import { judgeAdvisories } from './package/judge-advisories.mjs';
import { listShippedParts } from './package/shipped-parts.mjs';

// `npm run advisories` asks the registry for known vulnerabilities. npm counts Electron and the page's bundle as
// development dependencies, but people get them, so the bill of materials decides what ships.
await main(async () => {
  const { output } = await npm(['audit', '--json', '--audit=true', '--loglevel=silent'], rootDir);
  /** @type {import('./package/judge-advisories.mjs').AuditReport} */
  const report = JSON.parse(output.slice(output.indexOf('{')) || '{}');
  const parts = await listShippedParts('', rootDir);
  const verdict = judgeAdvisories(report, new Set(parts.map(({ name }) => name)));
  if ('reason' in verdict) throw new Stop(`The registry gave no advisories: ${verdict.reason}.`);
  for (const line of verdict.reported)
    say(`Known vulnerability that does not block a release: ${line}`);
  if (verdict.blocking.length > 0) {
    throw new Stop(
      `These shipped parts have known vulnerabilities. Update them before a release.\n${verdict.blocking.join('\n')}`,
    );
  }
  say(`None of the ${parts.length} shipped parts has a known high or critical vulnerability.`);
});
