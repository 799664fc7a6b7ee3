import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { offPackage, wholeOnPackage } from './fixtures/package-specs.ts';

/** Says what the package is not asked, since a list that nobody sees might as well not exist. */
export default class PackageReporter implements Reporter {
  onBegin(_config: FullConfig, run: Suite): void {
    if (!run.suites.some((suite) => suite.project()?.name === 'packaged')) return;
    if (!wholeOnPackage)
      process.stdout.write('packaged: a choice of its specs; all with PARLEY_PACKAGED=all\n');
    for (const { spec, reason } of offPackage)
      process.stdout.write(`packaged: not ${spec}, because ${reason}\n`);
  }
}
