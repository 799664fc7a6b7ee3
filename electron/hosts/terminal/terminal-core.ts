import type { BackendAddress } from '../../app/model-server.ts';
import type { Parley } from '../../app/parley.ts';

/** The core's parts that commands use, flat, so that each command and test picks what it needs. */
export type TerminalCore = ReturnType<typeof terminalCore>;

export function terminalCore(parley: Parley) {
  const { about, answer, machine, servers, audio, tapes, recordings } = parley;
  return {
    about,
    answer,
    clock: machine.clock,
    files: machine.files,
    notices: machine.notices,
    pictures: machine.pictures,
    random: machine.random,

    settings: servers.settings,
    endpoints: servers.endpoints,
    connectTo: servers.connectTo,
    serverCodec: servers.serverCodec,
    embeddedGateway: servers.gateway.open,
    serveGateway: servers.gateway.serve,
    computerModel: servers.model,
    openSession: servers.sessions.openSession,
    openWrittenSession: servers.sessions.openWrittenSession,
    openConversation: servers.sessions.openConversation,
    dictationPrompts: servers.texts.dictationPrompts,
    carryOverMessages: servers.texts.carryOverMessages,
    presetMessages: servers.texts.presetMessages,
    transcriptWords: servers.texts.transcriptWords,

    sound: audio.driver,
    openSpeaker: audio.devices.openSpeaker,
    openMicrophone: audio.devices.openMicrophone,
    roomPhrase: audio.roomPhrase,

    openTape: tapes.archive.openTape,
    loadTapeAt: tapes.archive.loadTapeAt,
    tapeTools: async () => {
      const { openTapeTools } = await import('../../app/recordings.ts');
      return openTapeTools(machine, servers, tapes);
    },
    openExport: tapes.exports.openExport,
    history: recordings.library,
    openModelFiles: async (folder?: string) => {
      const { openModelFiles } = await import('../../app/open-model-files.ts');
      const { model } = servers.settings.get();
      return openModelFiles(machine, servers.proxy.proxies(), folder ?? model.folder);
    },
    connectBackends: async (addresses: readonly BackendAddress[]) => {
      const { connectBackends } = await import('../../app/model-server.ts');
      return connectBackends(addresses);
    },
    /** Runs the model in this folder. An empty `program` means that Parley looks for one. */
    openModel: async (folder: string, program: string) => {
      const { openModelWorkers } = await import('../../app/model-server.ts');
      const isWanted = servers.settings.get().model.chatWhileTalking === 'whenRoom';
      return openModelWorkers(machine, servers.proxy.proxies(), { folder, program }, isWanted);
    },
    /** Measures the model in this folder. An empty argument means the value of the settings. */
    openModelBench: async (folder: string, program: string) => {
      const { openModelBench } = await import('../../app/machine-bench.ts');
      const { model } = servers.settings.get();
      const parts = { folder: folder || model.folder, program: program || model.program };
      return openModelBench(machine, servers.proxy.proxies(), parts);
    },
    historyEditor: parley.historyEditor,
    memory: parley.memory.store,
    reports: parley.reports,
  };
}
