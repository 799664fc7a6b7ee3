import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';

interface Props {
  readonly load: () => Promise<ComponentType>;
}

/** A screen whose script is loaded when it is first gone to; until then the place is empty. */
export function LazyScreen({ load }: Props) {
  const [loaded, setLoaded] = useState<{ readonly Screen: ComponentType }>();
  const [failed, setFailed] = useState<{ readonly error: unknown }>();
  useEffect(() => {
    let gone = false;
    const show = async (): Promise<void> => {
      const Screen = await load();
      if (!gone) setLoaded({ Screen });
    };
    show().catch((error: unknown) => {
      if (!gone) setFailed({ error });
    });
    return () => {
      gone = true;
    };
  }, [load]);
  // Thrown where it is drawn, so that the place says so.
  if (failed !== undefined) throw failed.error;
  return loaded === undefined ? <main aria-busy="true" /> : <loaded.Screen />;
}

/** Of a script of its own, because nearly nobody needs it. */
export const loadFirstRun = () =>
  import('../first-run/first-run.tsx').then(({ FirstRun }) => FirstRun);
