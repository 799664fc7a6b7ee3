import { appearanceRules, captionRules } from '../../../shared/settings/settings-groups.ts';
import { groupRule, isRecord } from '../../../shared/settings/setting-rule.ts';
import { appearanceOf, captionsOf, defaultPageStyle } from '../../store/page-style.ts';
import type { PageStyle } from '../../store/page-style.ts';
import type { Store } from '../../store/store.ts';
import type { UiState } from '../../store/ui-state.ts';

const key = 'parley.look';

const appearanceRule = groupRule<PageStyle['appearance']>(appearanceRules);
const captionRule = groupRule<PageStyle['captions']>(captionRules);

/**
 * The look of the last time, so that the first frame has the right theme, size and language before the
 * settings have come. The settings are the truth; this is a guess.
 */
export function persistPageStyle(storage: Pick<Storage, 'getItem' | 'setItem'>): {
  readonly restored: PageStyle;
  readonly follow: (store: Store<UiState>) => void;
} {
  const stored = storage.getItem(key);
  return {
    restored: readPageStyle(stored),
    follow: (store) => {
      let written = stored;
      store.subscribe(() => {
        const view = store.getState();
        if (view.settings === undefined) return;
        const look = JSON.stringify({ appearance: appearanceOf(view), captions: captionsOf(view) });
        if (look === written) return;
        written = look;
        storage.setItem(key, look);
      });
    },
  };
}

function readPageStyle(stored: string | null): PageStyle {
  const value = parsed(stored);
  if (!isRecord(value)) return defaultPageStyle;
  return {
    appearance: appearanceRule.read(value['appearance'], defaultPageStyle.appearance, '', ignore),
    captions: captionRule.read(value['captions'], defaultPageStyle.captions, '', ignore),
  };
}

const ignore = (): void => undefined;

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}
