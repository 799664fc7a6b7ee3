import { type Language, languages, resolveLanguage } from '../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { SettingsStore } from './settings-store.ts';
import type { ReferenceVoice, SessionSettings } from '../../shared/protocol/realtime-api.ts';
import { changedGeneration, withConfig } from '../../shared/settings/assistant-settings.ts';
import { type PresetMessages, resolveInstructions } from '../../shared/settings/preset.ts';
import type { Settings } from '../../shared/settings/settings.ts';

/** Texts that Parley sends to a model or writes to files, in the language of the settings. */
export class CoreTexts {
  readonly #settings: Pick<SettingsStore, 'get'>;

  constructor(settings: Pick<SettingsStore, 'get'>) {
    this.#settings = settings;
  }

  /** Texts around the transcript that is carried over to the next session. */
  readonly carryOverMessages = this.#reader('carryOver');
  /** Asks the model for a transcription. */
  readonly phrasePrompt = this.#reader('phrasePrompt');
  readonly presetMessages = this.#reader('presets');
  /** Prompts of the small window over other programs. */
  readonly cursorPrompts = this.#reader('cursor');
  /** Texts about what Parley knows of the user. */
  readonly memoryPrompts = this.#reader('memory');
  /** Texts about tools in a talk. */
  readonly talkToolPrompts = this.#reader('talkTools');
  /** The words of an exported transcript besides those that were spoken, such as its title. */
  readonly transcriptWords = async (shown?: Language): Promise<CoreMessages['transcript']> =>
    (await this.#messages(shown)).transcript;

  /** Prompts of a dictation. */
  readonly dictationPrompts = async (): Promise<Pick<CoreMessages, 'cursor' | 'phrasePrompt'>> =>
    this.#messages();

  /** Reads the texts each time that they are needed, because the language may change. */
  #reader<Part extends keyof CoreMessages>(part: Part): () => Promise<CoreMessages[Part]> {
    return async () => (await this.#messages())[part];
  }

  #messages(language = this.#language): Promise<CoreMessages> {
    return languages[language].core();
  }

  get #language(): Language {
    return spokenLanguage(this.#settings.get().appearance.language);
  }
}

/** The configuration of a session; unchanged generation parameters are left to the server. */
export function toSessionSettings(
  { assistant, vision }: Settings,
  presets: PresetMessages,
  voice: ReferenceVoice,
): SessionSettings {
  const instructions = resolveInstructions(assistant, presets);
  const changed = changedGeneration(assistant.generation);
  const generation = withConfig(changed, assistant.configs[assistant.preset]) ?? {};
  return {
    ...(instructions === '' ? {} : { instructions }),
    ...(voice.model === undefined && voice.speech === undefined ? {} : { voice }),
    ...(Object.keys(generation).length === 0 ? {} : { generation }),
    maxSlices: vision.slices,
  };
}

/** The language spoken with the model: the chosen one, or the system's if Parley supports it. */
export function spokenLanguage(chosen: Settings['appearance']['language']): Language {
  // Node knows the system's language without Electron.
  return resolveLanguage(chosen, [Intl.DateTimeFormat().resolvedOptions().locale]);
}
