/** By what the person has last done something in this page. */
let last: 'pointer' | 'keyboard' = 'keyboard';

if (typeof window !== 'undefined') {
  const heard = { capture: true, passive: true };
  window.addEventListener('pointerdown', () => (last = 'pointer'), heard);
  window.addEventListener('keydown', () => (last = 'keyboard'), heard);
}

export const lastInput = (): typeof last => last;
