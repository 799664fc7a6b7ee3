import type { Bridge } from '../bridge/bridge.ts';
import { Eye } from './eye.ts';
import { createGrabber } from './grab-frame.ts';
import { createMedia } from './media.ts';
import { createUnseenTimer, timerWorker } from './unseen-timer.ts';

const hidden = (): boolean => document.hidden;

/** The page's eye, joined to this browser's media and to the core. */
export function connectEye(bridge: Bridge): Eye {
  const eye = new Eye({
    media: createMedia(navigator),
    now: () => performance.now(),
    after: createUnseenTimer(hidden, timerWorker),
    createGrabber,
    hidden,
    allow: async (door) => {
      const reply = await bridge.request('allowSeeing', door);
      return reply.ok;
    },
    tellSettings: async (settings) => {
      const reply = await bridge.request('setSeeing', settings);
      return reply.ok;
    },
    offer: async (jpeg) => {
      await bridge.request('seeFrame', { jpeg });
    },
  });
  bridge.onNotice(({ name }) => {
    if (name === 'frameSent') eye.frameSent();
  });
  bridge.onConnection((connection) => {
    if (connection === 'connected') void eye.reconnected();
  });
  return eye;
}
