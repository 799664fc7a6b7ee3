import { useEffect } from 'react';

/** A file that is dropped beside its place would be opened by the browser, and Parley be gone. */
export function useBlockFileDrops(): void {
  useEffect(() => {
    const leaving = new AbortController();
    const stay = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    window.addEventListener('dragover', stay, leaving);
    window.addEventListener('drop', stay, leaving);
    return () => {
      leaving.abort();
    };
  }, []);
}
