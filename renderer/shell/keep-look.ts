import { appearanceRules, captionRules } from '../../shared/settings/groups.ts';
import { group, isRecord } from '../../shared/settings/rule.ts';
import { appearanceOf, captionsOf, usualLook } from '../store/look.ts';
import type { Look } from '../store/look.ts';
import type { Store } from '../store/store.ts';
import type { View } from '../store/view.ts';

const key = 'parley.look';

const appearanceRule = group<Look['appearance']>(appearanceRules);
const captionRule = group<Look['captions']>(captionRules);

/**
 * The look of the last time, so that the first frame has the right theme, size and language before the
 * settings have come. The settings are the truth; this is a guess.
 */
export function keepLook(storage: Pick<Storage, 'getItem' | 'setItem'>): {
  readonly before: Look;
  readonly follow: (store: Store<View>) => void;
} {
  const kept = storage.getItem(key);
  return {
    before: readLook(kept),
    follow: (store) => {
      let written = kept;
      store.subscribe(() => {
        const view = store.view();
        if (view.settings === undefined) return;
        const look = JSON.stringify({ appearance: appearanceOf(view), captions: captionsOf(view) });
        if (look === written) return;
        written = look;
        storage.setItem(key, look);
      });
    },
  };
}

function readLook(kept: string | null): Look {
  const value = parsed(kept);
  if (!isRecord(value)) return usualLook;
  return {
    appearance: appearanceRule.read(value['appearance'], usualLook.appearance, '', ignore),
    captions: captionRule.read(value['captions'], usualLook.captions, '', ignore),
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
