import type { Parley } from '../../app/parley.ts';

/** The core's parts that the desktop host uses, flat, so that each consumer and test picks what it needs. */
export type DesktopCore = ReturnType<typeof desktopCore>;

export function desktopCore(parley: Parley) {
  const { answer, machine, servers, audio, links, linkRegistration, openTapeAt, updates } = parley;
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
    dueReminders: () => parley.tools.due,
    chats: parley.chats.opener.controller,
    links,
    linkRegistration,
    updates,
    openTapeAt,
    begin: () => parley.begin(),
  };
}
