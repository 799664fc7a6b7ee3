import { languages } from '../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import { spokenLanguage } from './session-settings.ts';
import type { SettingsStore } from './settings-store.ts';

/** What Parley says to a model and writes into files, in the language of the settings. */
export class SpokenTexts {
  readonly #settings: Pick<SettingsStore, 'get'>;

  constructor(settings: Pick<SettingsStore, 'get'>) {
    this.#settings = settings;
  }

  /** What frames a transcript in the next session. */
  readonly carryOverMessages = async (): Promise<CoreMessages['carryOver']> =>
    (await this.#messages()).carryOver;

  /** What asks for the bare words of a sound. */
  readonly phrasePrompt = async (): Promise<CoreMessages['phrasePrompt']> =>
    (await this.#messages()).phrasePrompt;

  readonly presetMessages = async (): Promise<CoreMessages['presets']> =>
    (await this.#messages()).presets;

  /** What stands between the words of a transcript. */
  readonly transcriptWords = async (): Promise<CoreMessages['transcript']> =>
    (await this.#messages()).transcript;

  #messages(): Promise<CoreMessages> {
    return languages[spokenLanguage(this.#settings.get().appearance.language)].core();
  }
}
