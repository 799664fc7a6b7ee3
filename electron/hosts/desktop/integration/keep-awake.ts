import { powerSaveBlocker } from 'electron';
import type { TalkView } from '../../../../shared/talk/talk-view.ts';
import type { Parley } from '../../../core/compose-parley.ts';

type Core = Pick<Parley, 'notices' | 'lifetime'> & {
  readonly talk: { readonly view: Pick<TalkView, 'state' | 'talk'> };
};

type Blocking = 'prevent-app-suspension' | 'prevent-display-sleep';

/** While a talk goes on the machine does not fall asleep by itself, and with pictures the screen stays on. */
export function keepAwake({ notices, lifetime, talk }: Core): void {
  let blocker: { readonly id: number; readonly why: Blocking } | undefined;
  const become = (wanted: Blocking | undefined): void => {
    if (blocker?.why === wanted) return;
    if (blocker !== undefined) powerSaveBlocker.stop(blocker.id);
    blocker =
      wanted === undefined ? undefined : { id: powerSaveBlocker.start(wanted), why: wanted };
  };
  lifetime.add(
    notices.listen(({ name }) => {
      if (name === 'talkState' || name === 'talkBegan') become(neededFor(talk.view));
    }),
  );
  lifetime.add(() => {
    become(undefined);
  });
}

function neededFor({ state, talk }: Pick<TalkView, 'state' | 'talk'>): Blocking | undefined {
  if (state.phase === 'idle' || state.phase === 'ended') return undefined;
  return talk?.mode === 'video' ? 'prevent-display-sleep' : 'prevent-app-suspension';
}
