import { join } from 'node:path';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import { stampOf, systemWallClock } from '../adapters/system/system-clock.ts';
import { CompareController } from '../controllers/compare-controller.ts';
import { TalkPublisher } from '../controllers/talk-publisher.ts';
import { TapeFinder } from '../controllers/tape-finder.ts';
import type { Clock } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import { readTapeHeader } from '../recorder/recording/read-tape-header.ts';
import { recordSockets } from '../recorder/recording/record-sockets.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { exampleTape } from './example-tape.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { TalkServices } from './compose-talk.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

interface Deps
  extends
    Pick<
      SessionServices,
      'openSession' | 'openConversation' | 'loadTapeAt' | 'serverCodec' | 'carryOverMessages'
    >,
    Pick<SettingsServices, 'endpoints'>,
    Pick<TalkServices, 'tapes'> {
  readonly folder: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly post: PostNotice;
  readonly lifetime: Lifetime;
}

/** Talks that are kept, held against others and against what a server answers now. */
export function composeCompare({ tapes, endpoints, ...deps }: Deps): CompareController {
  const { openSession, serverCodec, files } = deps;
  const folder = createDataFolder(join(deps.folder, 'tapes'));
  const comparing = new CompareController({
    ...deps,
    codec: serverCodec,
    folder,
    headerOf: (path) => readTapeHeader(path, files),
    tapes: new TapeFinder({ loadTapeAt: deps.loadTapeAt, folder, exampleAt: exampleTape }),
    film: async () => ({
      openSession,
      codec: serverCodec,
      carryOver: await deps.carryOverMessages(),
      openPublisher: (post) => new TalkPublisher(post),
    }),
    connect: async (id, facts) => {
      const connected = await endpoints.connect(id);
      if (!connected.ok) return connected;
      const { profile, endpoint, sockets } = connected.value;
      const tape = stampOf(systemWallClock());
      const { dialect } = profile;
      const address = endpoint?.url ?? profile.id;
      const { recorder, finish, shown } = await tapes.begin(
        tape,
        { ...facts, dialect, endpoint: address },
        'asked',
      );
      shown();
      if (recorder === undefined) return failure('tapeFailed');
      const recorded = recordSockets(sockets, recorder);
      return {
        ok: true,
        value: {
          tape,
          finish,
          dialect,
          recorder,
          openSession: (options, emit) =>
            openSession(options, { sockets: recorded, emit, server: endpoint?.url }),
        },
      };
    },
  });
  deps.lifetime.add(() => {
    comparing.end();
  }, 'a comparison');
  return comparing;
}
