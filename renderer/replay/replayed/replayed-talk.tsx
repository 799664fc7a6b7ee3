import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { AppReactContext, useAppContext } from '../../store/use-app-context.ts';
import { createReplayedApp } from './replayed-app.ts';

/** What stands in it shows the talk that is played again, and not the one that goes on. */
export function ReplayedTalk({ children }: { readonly children: ReactNode }) {
  const live = useAppContext();
  const [replayed] = useState(() => createReplayedApp(live));
  useEffect(() => replayed.follow(), [replayed]);
  return <AppReactContext value={replayed.app}>{children}</AppReactContext>;
}
