import { useEffect, useState } from 'react';
import { useAppContext, useUiState } from '../store/use-app-context.ts';

/** Whether an answer in Chat was finished while another place was looked at; until Chat is. */
export function useUnreadAnswer(): boolean {
  const { listen, store } = useAppContext();
  const reads = useUiState(({ screen }) => screen === 'chat');
  const [unread, setUnread] = useState(false);
  if (reads && unread) setUnread(false);
  useEffect(
    () =>
      listen(({ name, payload }) => {
        if (name !== 'chatPatch' || payload.kind !== 'answer') return;
        const { kind } = payload.state;
        if (store.getState().screen !== 'chat' && (kind === 'done' || kind === 'failed'))
          setUnread(true);
      }),
    [listen, store],
  );
  return unread;
}
