import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import type { Desk } from '../store/join-bridge.ts';
import { DeskContext } from '../store/use-desk.ts';
import { Shell } from './shell.tsx';

interface Props {
  readonly desk: Desk;
  readonly words: i18n;
}

/** The whole page over one desk and in one set of words. */
export function ParleyPage({ desk, words }: Props) {
  return (
    <I18nextProvider i18n={words}>
      <DeskContext value={desk}>
        <Shell />
      </DeskContext>
    </I18nextProvider>
  );
}
