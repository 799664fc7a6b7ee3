import { OpenPage } from '../../electron/ipc/open-page.ts';
import type { Clock } from '../../electron/ports/clock.ts';
import type { SimulatedLine } from './simulated-line.ts';
import type { SimulatedParley } from './simulated-parley.ts';
import type { Deed, LineDeed, PersonDeed } from './steps.ts';

/** The one page that presses the talk key. */
const page = new OpenPage();

export function isLineDeed(deed: Deed): deed is LineDeed {
  return ['cutLine', 'lineDown', 'holdLine', 'slowLine'].includes(deed.does);
}

export function disturbLine(deed: LineDeed, line: SimulatedLine, clock: Clock): void {
  if (deed.does === 'cutLine') line.cut();
  else if (deed.does === 'holdLine') line.hold(deed.ms);
  else if (deed.does === 'slowLine') line.setSlowness(deed.slowness);
  else {
    line.setDown(true);
    clock.after(deed.ms, () => {
      line.setDown(false);
    });
  }
}

/** What a person does in the window. */
export function press(deed: PersonDeed, { talk, settings }: SimulatedParley): void {
  if (deed.does === 'start') void talk.start(deed.mode);
  else if (deed.does === 'continue') void talk.continue({ carry: deed.carry });
  else if (deed.does === 'key') talk.talkKey.handle(page, deed.key);
  else if (deed.does === 'set') settings.change(deed.patch);
  else if (deed.does === 'talking') settings.change({ talking: { mode: deed.mode } });
  else
    talk.with((conversation) => {
      const { controls } = conversation;
      if (deed.does === 'end') conversation.end();
      else if (deed.does === 'interrupt') conversation.interrupt();
      else if (deed.does === 'networkBack') conversation.onNetworkBack();
      else if (deed.does === 'wake') conversation.onSystemWake();
      else if (deed.does === 'mute') controls.setMuted(deed.on);
      else if (deed.does === 'cough') controls.setCoughMuted(deed.on);
      else conversation.setPaused(deed.on);
    });
}
