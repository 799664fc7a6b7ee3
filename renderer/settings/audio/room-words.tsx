import { useTranslation } from 'react-i18next';
import type { LoopbackResult } from '../../../shared/sound/loopback-result.ts';
import { roomHeard } from '../../../shared/sound/room-heard.ts';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

interface RoomWordsProps {
  readonly result: Extract<LoopbackResult, { heard: true }>;
}

/** What the room is like, and what Parley does about it as it is set. */
export function RoomWords({ result }: RoomWordsProps) {
  const { t } = useTranslation();
  const { echo, noise } = useSettingsGroup('audio');
  const room = roomHeard(result);
  const [heard, noises] = [
    t(`settings.sound.room.echo.${room.echo}`),
    t(`settings.sound.room.noise.${room.noise}`),
  ];
  const echoDone = t(`settings.sound.room.${echo === 'off' ? 'echoLeft' : 'echoTaken'}`);
  const noiseDone = t(`settings.sound.room.${noise === 'off' ? 'noiseLeft' : 'noiseTaken'}`);
  const both = (what: string, done: string): string =>
    t('settings.sound.room.both', { what, done });
  return (
    <ul className="row-hint" dir="auto">
      <li>{room.echo === 'hardly' ? heard : both(heard, echoDone)}</li>
      <li>{room.noise === 'quiet' ? noises : both(noises, noiseDone)}</li>
    </ul>
  );
}
