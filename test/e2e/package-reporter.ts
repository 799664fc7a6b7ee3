import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { unpackagedSpecs, runsAllOnPackage } from './fixtures/package-specs.ts';

/** Prints which specs the package does not run. */
export default class PackageReporter implements Reporter {
  onBegin(_config: FullConfig, run: Suite): void {
    if (!run.suites.some((suite) => suite.project()?.name === 'packaged')) return;
    if (!runsAllOnPackage)
      process.stdout.write('packaged: a subset of its specs; all with PARLEY_PACKAGED=all\n');
    for (const { spec, reason } of unpackagedSpecs)
      process.stdout.write(`packaged: not ${spec}, because ${reason}\n`);
  }
}
