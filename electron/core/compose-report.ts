import { release } from 'node:os';
import { join } from 'node:path';
import type { About } from '../../shared/about.ts';
import { reportFacts } from '../controllers/report-facts.ts';
import { ReportMaker } from '../controllers/report-maker.ts';
import type { Files } from '../ports/files.ts';
import type { NativeParts } from '../ports/native-parts.ts';
import type { SoundDriver } from '../ports/sound.ts';
import { exportTools } from './compose-export.ts';
import type { ExportServices } from './compose-export.ts';
import { logFolder } from './compose-log.ts';
import type { SettingsServices } from './compose-settings.ts';

interface Deps extends Pick<ExportServices, 'redactTape'>, Pick<SettingsServices, 'settings'> {
  readonly about: About;
  readonly folder: string;
  readonly files: Files;
  readonly nativeParts: NativeParts;
  readonly sound: Pick<SoundDriver, 'devices'>;
}

/** Reports of a problem, out of what this machine knows. */
export function composeReport(deps: Deps): ReportMaker {
  const { about, folder, files, nativeParts, redactTape, settings, sound } = deps;
  return new ReportMaker({
    files,
    tools: exportTools,
    redactTape,
    logPaths: ['parley.log', 'parley.1.log'].map((name) => join(logFolder(folder), name)),
    facts: () =>
      reportFacts({
        about,
        nativeParts,
        sound,
        system: `${process.platform} ${process.arch} ${release()}`,
        settings: () => settings.get(),
        now: () => new Date().toISOString(),
      }),
  });
}
