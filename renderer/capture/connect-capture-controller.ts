import type { Bridge } from '../bridge/bridge.ts';
import { CaptureController } from './capture-controller.ts';
import { createFrameSnapshotter } from './frame-snapshotter.ts';
import { createVideoDevices } from './video-devices.ts';
import { createBackgroundTimer, createTimerWorker } from './background-timer.ts';

const hidden = (): boolean => document.hidden;

/** The page's capture, joined to this browser's media and to the core. */
export function connectCaptureController(bridge: Bridge): CaptureController {
  const capture = new CaptureController({
    devices: createVideoDevices(navigator),
    now: () => performance.now(),
    after: createBackgroundTimer(hidden, createTimerWorker),
    createSnapshotter: createFrameSnapshotter,
    hidden,
    allow: async (permission) => {
      const reply = await bridge.request('setCapturePermission', permission);
      return reply.ok;
    },
    sendSettings: async (settings) => {
      const reply = await bridge.request('setVisionOptions', settings);
      return reply.ok;
    },
    offer: async (frame) => {
      const reply = await bridge.request('pushFrame', frame);
      return reply.ok ? reply.value : undefined;
    },
  });
  bridge.onNotice(({ name }) => {
    if (name === 'frameSent') capture.frameSent();
  });
  bridge.onConnection((connection) => {
    if (connection === 'connected') void capture.reconnected();
    else capture.coreLost();
  });
  return capture;
}
