import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { DeviceEvent } from '../../../sound/devices/stream-supervisor.ts';
import type { AudioSink } from '../../../sound/capture/audio-sink.ts';
import type { Microphone } from '../../../sound/capture/microphone.ts';
import type { Speaker } from '../../../sound/playback/speaker.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { CommandError, exitCode } from '../exit-code.ts';
import type { ViewEvent } from '../views/terminal-view.ts';
import { listDevices, requireDevice } from './sound-devices.ts';
import type { SoundDeviceKind } from './sound-devices.ts';
import type { TalkCommandOptions } from '../options/talk-command-options.ts';

type Wanted = Pick<TalkCommandOptions, 'microphone' | 'speaker'>;

interface TalkSound {
  readonly speaker: Speaker | undefined;
  readonly microphone: Microphone | undefined;
}

/** Ends the command where a device is wanted that is not there; before anything else is done. */
export async function requireDevices(
  parley: Pick<Parley, 'sound'>,
  { microphone, speaker }: Wanted,
): Promise<void> {
  if (microphone === undefined && speaker === undefined) return;
  const devices = await listDevices(parley);
  if (microphone !== undefined) requireDevice(devices, 'microphone', microphone);
  if (speaker !== undefined) requireDevice(devices, 'speaker', speaker);
}

/** Opens what is wanted. What becomes of the devices is shown; one that never opens ends the command. */
export async function openTalkSound(
  parley: Pick<Parley, 'openSpeaker' | 'openMicrophone' | 'settings'>,
  wanted: Wanted,
  show: (event: ViewEvent) => void,
  sink: AudioSink,
): Promise<TalkSound> {
  let begun = false;
  let lost: AppError | undefined;
  const onDeviceEvent = (use: SoundDeviceKind) => (event: DeviceEvent) => {
    if (begun || event.kind !== 'lost') show({ event: 'note', sentence: eventText(use, event) });
    else lost ??= event.error;
  };
  const speaker =
    wanted.speaker && (await parley.openSpeaker(wanted.speaker, onDeviceEvent('speaker')));
  const microphone =
    wanted.microphone &&
    (await parley.openMicrophone(wanted.microphone, sink, {
      gain: () => parley.settings.get().audio.inputVolume,
      mayStandIn: () => parley.settings.get().audio.whileUnplugged === 'system',
      onLevel: ({ rmsDb }) => {
        show({ event: 'level', rmsDb });
      },
      emit: onDeviceEvent('microphone'),
    }));
  if (lost !== undefined) throw new CommandError(describeAppError(lost), exitCode.noDevice);
  begun = true;
  return { speaker, microphone };
}

const titles: Readonly<Record<SoundDeviceKind, string>> = {
  microphone: 'Microphone',
  speaker: 'Speaker',
};

const whileLost: Readonly<Record<SoundDeviceKind, string>> = {
  microphone: 'Silence is sent until it is back.',
  speaker: 'What is said waits until it is back.',
};

function eventText(use: SoundDeviceKind, event: DeviceEvent): string {
  switch (event.kind) {
    case 'using':
      return `${titles[use]}: "${event.device}".`;
    case 'moved':
      return `${titles[use]}: "${event.from}" is gone; "${event.device}" stands in until it is back.`;
    case 'lost':
      return `${titles[use]}: ${englishErrorMessage(event.error)} ${whileLost[use]}`;
  }
}
