import { describe, expect, it } from 'vitest';
import { trayModel } from '../../../../electron/hosts/desktop/tray-items.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { englishCore } from '../../../../shared/i18n/en/core-messages.ts';
import { englishPage } from '../../../../shared/i18n/en/page-messages.ts';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import { idleTalkView } from '../../../../shared/talk/talk-view.ts';
import { pseudoTexts } from '../../../fakes/pseudo-language.ts';
import { placesIn, textsOf } from './texts-of.ts';

const plain = /[A-Za-z]/;

describe('the pseudo language', () => {
  const english = textsOf([englishPage, englishCore]);
  const pseudo = new Map(textsOf(pseudoTexts([englishPage, englishCore])));

  it('has every English text in brackets, longer, with its placeholders, and without plain letters', () => {
    expect(pseudo.size).toBe(english.length);
    for (const [key, text] of english) {
      const drawn = pseudo.get(key) ?? '';
      expect(placesIn(drawn), key).toEqual(placesIn(text));
      const words = (of: string): string => of.replaceAll(/\{\{\w+\}\}|<\/?\w+>/g, '');
      expect(words(drawn), key).not.toMatch(plain);
      expect(words(drawn).length, key).toBeGreaterThanOrEqual(1.4 * words(text).length);
      expect(drawn).toMatch(/^\[[^]*\]$/);
    }
  });

  it('leaves no untranslated text in the tray', () => {
    const { desktop } = pseudoTexts(englishCore) as CoreMessages;
    const states = [
      { phase: 'idle' },
      { phase: 'live' },
      { phase: 'queued', position: 3, length: 7, etaSeconds: 9 },
      {
        phase: 'ended',
        ending: { error: appError('disconnected'), by: 'server', orderly: true },
        offer: 'continue',
      },
    ] as const;
    for (const state of states) {
      const { status, menu } = trayModel({ ...idleTalkView, state }, desktop);
      for (const label of [status, ...menu.flat().map((item) => item.label)]) {
        expect(label).toMatch(/^\[/);
        expect(label).not.toMatch(plain);
      }
    }
  });
});
