import { EchoCancellation } from '../../../../../electron/audio/echo/echo-cancellation.ts';
import type {
  EchoCanceller,
  EchoDevices,
  OpenEchoCanceller,
} from '../../../../../electron/audio/echo/echo-canceller.ts';
import { SpeakerHistory } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';

type Process = EchoCanceller['process'];

/** Passes frames unchanged. */
export const passing: Process = (frame) => frame;

class CancellerFake implements EchoCanceller {
  readonly process: Process;
  readonly finding = 'heard';
  nearEndPresence: number | undefined;
  leadMs = 0;
  resets = 0;
  /** The far ends passed to `resume`. */
  readonly resumed: Float32Array[] = [];

  constructor(process: Process) {
    this.process = process;
  }

  resume(played: Float32Array): void {
    this.resumed.push(played);
  }

  reset(): void {
    this.resets += 1;
  }
}

export function echoStage(process: Process = passing, open?: OpenEchoCanceller) {
  const devices: EchoDevices[] = [];
  const setting = { isEnabled: true };
  const reference = new SpeakerHistory({ playedRate: 24_000, capturedRate: 16_000 });
  const log = new FakeLog();
  const canceller = new CancellerFake(process);
  /** Start times of the requested references. */
  const asked: number[] = [];
  const echo = new EchoCancellation({
    open: open ?? (() => canceller),
    farEnd: {
      speaker: 'Monitor',
      get newest() {
        return reference.newest;
      },
      fill: (into, from, step) => {
        asked.push(from);
        reference.fill(into, from, step);
      },
    },
    log,
    isEnabled: (asking) => {
      devices.push(asking);
      return setting.isEnabled;
    },
  });
  return { echo, reference, log, canceller, asked, devices, setting };
}
