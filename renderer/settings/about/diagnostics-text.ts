import type { SoundChoice } from '../../../shared/settings/audio-settings.ts';
import type { UiState } from '../../app/ui-state.ts';

type DiagnosticsSource = Pick<
  UiState,
  'about' | 'settings' | 'libraries' | 'facts' | 'talkState' | 'connection'
>;

/**
 * Text for support: versions, libraries, settings. It omits addresses, user text, and the names of servers, voices and
 * devices. The page knows no secrets. The session id lets the server's operator find its log.
 */
export function diagnosticsText(view: DiagnosticsSource): string {
  const { about, settings, libraries } = view;
  const lines: readonly (readonly [string, unknown])[] = [
    ['program', `${about?.name ?? 'Parley'} ${about?.version ?? ''}`.trim()],
    ['host', about?.host],
    ['runtime', about?.runtime.map(({ name, version }) => `${name} ${version}`).join(', ')],
    ['libraries', Object.values(libraries)],
    ['page', `${view.connection}, ${view.talkState.value.phase}, ${view.facts?.mode ?? 'no talk'}`],
    ['dialect', view.facts?.session?.dialect],
    ['session', view.facts?.session?.id],
    ...(settings === undefined ? [] : settingsLines(settings)),
  ];
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

function settingsLines(
  settings: NonNullable<DiagnosticsSource['settings']>,
): readonly (readonly [string, unknown])[] {
  // Listed explicitly, because settings of later versions could contain user text.
  const {
    endpoints,
    proxy,
    assistant,
    voices,
    audio,
    talking,
    vision,
    captions,
    privacy,
    appearance,
  } = settings;
  const servers = endpoints.list.map(({ id, kind, dialect, url, hasToken, headers, query }) => ({
    chosen: id === endpoints.chosen,
    kind,
    dialect,
    scheme: url.split(':', 1)[0],
    hasToken,
    headers: Object.keys(headers).length,
    query: Object.keys(query).length,
  }));
  return [
    ['servers', servers],
    ['proxy', proxy.way],
    [
      'assistant',
      {
        ...assistant,
        instructions: `${assistant.instructions.length} characters`,
        configs: Object.keys(assistant.configs),
      },
    ],
    ['voices', { model: anonymousVoice(voices.model), speech: anonymousVoice(voices.speech) }],
    [
      'audio',
      {
        ...audio,
        microphone: anonymousDevice(audio.microphone),
        speaker: anonymousDevice(audio.speaker),
      },
    ],
    ['talking', talking],
    ['vision', { ...vision, camera: vision.camera === '' ? 'default' : 'chosen' }],
    ['captions', captions],
    ['privacy', privacy],
    ['appearance', appearance],
  ];
}

function anonymousVoice(choice: string): string {
  return choice === 'none' ? choice : 'own';
}

/** People name their devices, often after themselves. */
function anonymousDevice(choice: SoundChoice): string {
  return choice === 'default' ? choice : `chosen, ${choice.hostApi ?? 'any host API'}`;
}
