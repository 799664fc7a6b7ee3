import { OpenPage } from '../../shared/ipc/page.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SimulatedLine } from './simulated-line.ts';
import type { SimulatedParley } from './simulated-parley.ts';
import type { LineTrouble, PersonAction, WorldAction } from './steps.ts';

/** The only page, which presses the talk key. */
const page = new OpenPage();

export function isLineTrouble(one: WorldAction): one is LineTrouble {
  return ['cutLine', 'lineDown', 'holdLine', 'slowLine'].includes(one.does);
}

export function disturbLine(one: LineTrouble, line: SimulatedLine, clock: Clock): void {
  if (one.does === 'cutLine') line.cut();
  else if (one.does === 'holdLine') line.hold(one.ms);
  else if (one.does === 'slowLine') line.setSlowness(one.slowness);
  else {
    line.setDown(true);
    clock.after(one.ms, () => {
      line.setDown(false);
    });
  }
}

export function press(one: PersonAction, { talk, settings }: SimulatedParley): void {
  if (one.does === 'start') void talk.start(one.mode);
  else if (one.does === 'continue') void talk.continue({ carry: one.carry });
  else if (one.does === 'key') talk.talkKey.handle(page, one.key);
  else if (one.does === 'set') settings.change(one.patch);
  else if (one.does === 'talking') settings.change({ talking: { mode: one.mode } });
  else
    talk.withTalk((conversation) => {
      const { controls } = conversation;
      if (one.does === 'end') conversation.end();
      else if (one.does === 'interrupt') conversation.interrupt();
      else if (one.does === 'networkBack') conversation.onNetworkBack();
      else if (one.does === 'wake') conversation.onSystemWake();
      else if (one.does === 'mute') controls.setMuted(one.on);
      else if (one.does === 'cough') controls.setCoughMuted(one.on);
      else conversation.setPaused(one.on);
    });
}
