import { join } from 'node:path';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import type { DeviceLock } from '../controllers/device-lock.ts';
import { ReplayController } from '../controllers/replay-controller.ts';
import { TapeFinder } from '../controllers/tape-finder.ts';
import type { WireWatcher } from '../controllers/wire-watcher.ts';
import type { Clock } from '../ports/clock.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import { exampleTape } from './example-tape.ts';
import type { HistoryServices } from './compose-history.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { SoundServices } from './compose-sound.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

interface Deps
  extends
    Pick<SessionServices, 'openSession' | 'loadTapeAt' | 'serverCodec' | 'carryOverMessages'>,
    Pick<SettingsServices, 'settings'>,
    Pick<HistoryServices, 'talkRecordOf'>,
    Pick<SoundServices, 'createSpeaker'> {
  readonly folder: string;
  readonly clock: Clock;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
  readonly wire: Pick<WireWatcher, 'watched'>;
  readonly lifetime: Lifetime;
}

/**
 * The replay of tapes: it is given a speaker, and neither sockets nor a microphone. Its sessions are those of the tape.
 */
export function composeReplay({ settings, wire, serverCodec, ...deps }: Deps): ReplayController {
  const replay = new ReplayController({
    clock: deps.clock,
    post: deps.post,
    lock: deps.lock,
    createSpeaker: deps.createSpeaker,
    audio: () => settings.get().audio,
    codec: serverCodec,
    openSession: deps.openSession,
    carryOverMessages: deps.carryOverMessages,
    textOf: deps.talkRecordOf,
    timeOf: Date.parse,
    wireWatched: () => wire.watched,
    tapes: new TapeFinder({
      loadTapeAt: deps.loadTapeAt,
      folder: createDataFolder(join(deps.folder, 'tapes')),
      exampleAt: exampleTape,
    }),
  });
  deps.lifetime.add(() => replay.end(), 'the replay');
  return replay;
}
