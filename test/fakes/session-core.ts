import { openTapeTools, Tapes } from '../../electron/app/recordings.ts';
import { SincResampler } from '../../electron/audio/dsp/sinc-resampler.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { ServerFactsStore } from '../../electron/settings/servers/server-facts.ts';
import { CoreTexts } from '../../electron/settings/core-texts.ts';
import { Sessions } from '../../electron/talk/sessions.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Files } from '../../shared/ports/files.ts';
import type { Frames } from '../../shared/ports/pictures.ts';
import { createClientCodec, encodeOlderChatRequest } from '../../shared/protocol/client-codec.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import { FakeFrames } from './fake-frames.ts';
import { FakeLog } from './fake-log.ts';
import { fakeServerFacts } from './fake-server-facts.ts';
import { seeded } from './seeded.ts';

interface SessionCoreOptions {
  readonly clock: Clock;
  readonly files: Files;
  readonly random?: Random;
  readonly memory?: ServerFactsStore;
  readonly frames?: Frames;
  readonly versions?: Readonly<Record<string, string>>;
}

/** A part of the core for terminal commands: sessions and tapes, without servers, devices or settings. */
export function sessionCore({
  clock,
  files,
  random = seeded(1),
  memory = fakeServerFacts(),
  frames = new FakeFrames(),
  versions = {},
}: SessionCoreOptions) {
  const clientCodec = createClientCodec(bufferBase64);
  const serverCodec = createServerCodec(bufferBase64);
  const sessions = new Sessions({
    clock,
    random,
    serverFacts: memory,
    versions,
    log: new FakeLog(),
    codec: clientCodec,
    encodeRequest: (question) => encodeOlderChatRequest(question, bufferBase64),
    // A virtual clock has no calendar.
    wallNow: undefined,
  });
  const texts = new CoreTexts({ get: () => defaultSettings });
  const upsampler = () => new SincResampler(inputRate, outputRate);
  const tapes = new Tapes(
    { clock, files, frames, upsampler, wallClock: Date.now },
    { sessions, texts, serverCodec },
  );
  return {
    clock,
    files,
    serverCodec,
    openSession: sessions.openSession,
    openWrittenSession: sessions.openWrittenSession,
    openConversation: sessions.openConversation,
    cut: sessions.cut,
    carryOverMessages: texts.carryOverMessages,
    presetMessages: texts.presetMessages,
    openTape: tapes.archive.openTape,
    loadTapeAt: tapes.archive.loadTapeAt,
    openExport: tapes.exports.openExport,
    tapeTools: () =>
      Promise.resolve(openTapeTools({ files, frames }, { serverCodec, clientCodec }, tapes)),
  };
}
