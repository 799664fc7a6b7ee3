import {
  builtInActions,
  type CursorAction,
  maxActions,
  readAction,
} from '../cursor/cursor-action.ts';
import { chordRule } from './app-settings.ts';
import {
  booleanRule,
  idPattern,
  patternRule,
  setting,
  type SettingRule,
  settingsGroup,
  textRule,
  type ValueOf,
  valueRule,
} from './setting-rule.ts';

const maxWords = 200;
const maxWordLength = 60;

const words = valueRule<readonly string[]>(
  `must be a list of at most ${maxWords} words`,
  (value) => {
    if (!Array.isArray(value) || value.length > maxWords) return undefined;
    const texts = (value as readonly unknown[]).filter(isWord);
    return texts.length === value.length ? texts : undefined;
  },
);

function isWord(word: unknown): word is string {
  return typeof word === 'string' && word.trim() !== '' && word.length <= maxWordLength;
}

const actions: SettingRule<readonly CursorAction[]> = {
  read: (value, fallback, path, report) => {
    if (value === undefined) return fallback;
    if (!Array.isArray(value) || value.length > maxActions) {
      report(path, `must be a list of at most ${maxActions} actions`);
      return fallback;
    }
    const known = new Map<string, CursorAction>();
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      const action = readAction(item);
      if (action === undefined) report(`${path}.${index + 1}`, 'must be an action');
      else if (known.has(action.id)) report(`${path}.${index + 1}`, 'has the id of another action');
      else known.set(action.id, action);
    }
    return [...known.values()];
  },
};

/** The small window that works in other programs. */
export const cursorSettings = settingsGroup({
  /** Off until the user turns it on. Until then Parley takes none of the keys below. */
  enabled: setting(booleanRule, false),
  /** Opens the quick ask. Chords as in `talking.globalKey`; `none` turns a key off. */
  askKey: setting(chordRule, 'Control+Alt+Space'),
  /** The user holds it and speaks, or taps it, speaks and taps it again. */
  dictateKey: setting(chordRule, 'Control+Alt+KeyD'),
  /** Shows the screen to the running talk once. */
  lookKey: setting(chordRule, 'none'),
  /** Shows a part of the screen to the running talk once. */
  regionKey: setting(chordRule, 'none'),
  /** Offers that a question includes without a click. */
  always: settingsGroup({
    selection: setting(booleanRule, false),
    clipboard: setting(booleanRule, false),
    window: setting(booleanRule, false),
  }),
  speakAnswers: setting(booleanRule, false),
  /** The user's two languages: a text in one is translated into the other. */
  firstLanguage: setting(textRule(40, 1), 'English'),
  secondLanguage: setting(textRule(40, 1), '中文'),
  dictation: settingsGroup({
    /** `verbatim`, `clean`, or the id of an action. */
    mode: setting(patternRule(idPattern, 'must be a mode or the id of an action'), 'clean'),
    /** Empty means the language that is heard. */
    language: setting(textRule(40), ''),
    /** Names and words that the model should spell this way. */
    words: setting(words, []),
  }),
  actions: setting(actions, builtInActions),
});

export type CursorSettings = ValueOf<typeof cursorSettings>;
