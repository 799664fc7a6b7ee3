import type { Store } from './store.ts';
import type { UiState } from './ui-state.ts';

/** Long enough to be read, short enough that nobody has to put it away. */
const shownMs = 4000;

/** Says for a moment that something was done which is not to be seen where the person is. */
export function createTellAction({ setState }: Store<UiState>): (told: string) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (told) => {
    clearTimeout(timer);
    setState({ told });
    timer = setTimeout(() => {
      setState({ told: undefined });
    }, shownMs);
  };
}
