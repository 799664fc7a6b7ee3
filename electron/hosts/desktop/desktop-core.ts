import type { Parley } from '../../app/parley.ts';

/** What this host asks of the core, by one name each: a part says which of it it needs, and a test hands in no more. */
export type DesktopCore = ReturnType<typeof desktopCore>;

export function desktopCore(parley: Parley) {
  const { answer, machine, servers, audio, links, linkSwitch, openTapeAt, updates } = parley;
  return {
    answer,
    clock: machine.clock,
    lifetime: machine.lifetime,
    log: machine.log,
    notices: machine.notices,
    settings: servers.settings,
    sound: audio.driver,
    framePipeline: parley.vision.framePipeline,
    talk: parley.talk.controller,
    chats: parley.chats.opener.controller,
    links,
    linkSwitch,
    updates,
    openTapeAt,
    begin: () => parley.begin(),
  };
}
