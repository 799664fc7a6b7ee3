import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { MiniWindow } from '../mini/mini-window.tsx';
import type { Desk } from '../store/join-bridge.ts';
import { DeskContext, useView } from '../store/use-desk.ts';
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
        <Content />
      </DeskContext>
    </I18nextProvider>
  );
}

function Content() {
  return useView(({ window }) => window) === 'mini' ? <MiniWindow /> : <Shell />;
}
