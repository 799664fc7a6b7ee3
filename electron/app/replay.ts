import { ReplayController } from '../recordings/replay/replay-controller.ts';
import type { Audio } from './audio.ts';
import type { Machine } from './machine.ts';
import type { Recordings } from './recordings.ts';
import type { Servers } from './servers.ts';

interface Parts {
  readonly machine: Machine;
  readonly servers: Servers;
  readonly audio: Audio;
  readonly recordings: Recordings;
}

/** A replay has a speaker but no sockets or microphone: its sessions come from the tape. */
export function openReplay({ machine, servers, audio, recordings }: Parts): ReplayController {
  const { clock, lifetime, notices } = machine;
  const { settings, sessions, texts, wire, serverCodec } = servers;
  const replay = new ReplayController({
    clock,
    post: notices.post,
    lock: audio.lock,
    createSpeaker: audio.devices.createSpeaker,
    audio: () => settings.get().audio,
    codec: serverCodec,
    openSession: sessions.openSession,
    carryOverMessages: texts.carryOverMessages,
    findRecord: recordings.readTalkRecord,
    parseTime: Date.parse,
    isWireWatched: () => wire.isWatched,
    tapes: recordings.finder,
  });
  lifetime.add(() => replay.end(), 'replay');
  return replay;
}
