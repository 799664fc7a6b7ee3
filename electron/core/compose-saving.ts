import { createSavePlaces } from '../adapters/files/save-place.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { ExportController } from '../controllers/export-controller.ts';
import { ExportOrigins } from '../controllers/export-origins.ts';
import type { ExportHandlers, ReportHandlers } from '../controllers/controller-handlers.ts';
import { ReportController } from '../controllers/report-controller.ts';
import type { ReportMaker } from '../controllers/report-maker.ts';
import type { SavedFolder } from '../controllers/saved-folder.ts';
import type { ReplayController } from '../controllers/replay-controller.ts';
import type { Files } from '../ports/files.ts';
import type { SaveWay } from '../ports/saving.ts';
import type { ChatServices } from './compose-chat.ts';
import { exportTools } from './compose-export.ts';
import type { ExportServices } from './compose-export.ts';
import type { HistoryServices } from './compose-history.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { TalkServices } from './compose-talk.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

interface Deps
  extends
    Pick<ChatServices, 'chats'>,
    Pick<ExportServices, 'openExport' | 'hasFfmpeg'>,
    Pick<HistoryServices, 'keptTalks' | 'keeper'>,
    Pick<SessionServices, 'transcriptWords'>,
    Pick<TalkServices, 'tapes'> {
  readonly files: Files;
  readonly reports: ReportMaker;
  readonly replay: Pick<ReplayController, 'path'>;
  readonly post: PostNotice;
  readonly lifetime: Lifetime;
  readonly saved: SavedFolder;
  readonly saveWay?: SaveWay | undefined;
}

/** Where nobody can be asked, nothing is saved. */
export const nowhere: SaveWay = {
  kind: 'dialog',
  choose: () => Promise.resolve(undefined),
  chooseFolder: () => Promise.resolve(undefined),
};

/** Files that a person wants to have of what is kept, and reports of a problem. */
export function composeSaving(deps: Deps): ExportHandlers & ReportHandlers {
  const choosePlace = createSavePlaces(deps.saveWay ?? nowhere);
  const { saved } = deps;
  const reports = new ReportController({
    ...deps,
    maker: deps.reports,
    choosePlace,
    replayed: () => deps.replay.path,
    shownTalk: () => deps.keeper.shownId,
    today: () => new Date().toISOString().slice(0, 10),
  });
  const exporting = new ExportController({
    ...deps,
    choosePlace,
    origins: new ExportOrigins({
      ...deps,
      tools: exportTools,
      talks: deps.keptTalks,
      writeTime: (ms) => new Date(ms).toISOString(),
      replayed: () => deps.replay.path,
    }),
  });
  deps.lifetime.add(() => {
    exporting.end();
  }, 'an export');
  deps.lifetime.add(() => reports.drop(), 'a report');
  return { ...exporting.handlers, ...reports.handlers, showSaved: saved.show };
}
