import type { UiState } from '../../../renderer/app/ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import { sessionError } from '../../../shared/errors/session-reasons.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { idleTalkView } from '../../../shared/talk/talk-view.ts';
import type { GalleryState } from '../gallery-state.ts';
import { hostileTurns } from '../sample-transcript.ts';
import { live } from './talk.ts';

const size = { width: 420, height: 216 };
const both = { main: true, mini: true };
const mini = (
  view: (language: Language) => Partial<UiState>,
  more: Partial<GalleryState> = {},
) => ({
  size,
  ...more,
  view: (language: Language) => ({ windows: both, ...view(language), window: 'mini' as const }),
});
const liveWith = (part: Partial<UiState>) => (language: Language) => ({
  ...live(language),
  ...part,
});

export const miniStates: Readonly<Record<string, GalleryState>> = {
  'mini-idle': mini(() => ({})),
  'mini-live-empty': mini(liveWith({ captions: [], floor: 'nobody' })),
  'mini-live-both': mini(liveWith({ floor: 'both' }), { heard: 'both' }),
  'mini-live-parley': mini(live, { heard: 'parley' }),
  'mini-hold': mini(
    liveWith({ floor: 'nobody', controls: { ...idleTalkView.controls, talking: 'hold' } }),
  ),
  'mini-muted': mini(liveWith({ controls: { ...idleTalkView.controls, muted: true } })),
  'mini-paused': mini(liveWith({ controls: { ...idleTalkView.controls, paused: true } })),
  'mini-cut': mini((language) => ({
    ...live(language),
    floor: 'you',
    captions: live(language).captions?.slice(0, 2) ?? [],
  })),
  'mini-queued': mini(() => ({
    talkState: { value: { phase: 'queued', position: 3, length: 7, etaSeconds: 95 }, at: 0 },
  })),
  'mini-reconnecting': mini(() => ({
    talkState: {
      value: {
        phase: 'reconnecting',
        attempt: 2,
        inMs: 4000,
        error: sessionError('connection_lost'),
      },
      at: 0,
    },
  })),
  'mini-ended': mini(() => ({
    talkState: {
      value: {
        phase: 'ended',
        ending: {
          error: sessionError('timeout'),
          by: 'server',
          orderly: true,
        },
        offer: 'continue',
      },
      at: 0,
    },
  })),
  'mini-no-microphone': mini(
    liveWith({
      devices: {
        ...idleTalkView.devices,
        microphone: { kind: 'lost', error: appError('noMicrophone') },
      },
    }),
  ),
  'mini-trouble': mini(
    liveWith({
      talkErrors: [
        appError(
          'serverReports',
          { reason: 'inference_error' },
          { detail: 'step 12: out of memory' },
        ),
      ],
    }),
  ),
  'mini-alone': mini(liveWith({ windows: { main: false, mini: true } })),
  'mini-hostile': mini(liveWith({ captions: hostileTurns })),
};
