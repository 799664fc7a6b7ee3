/** By what the person has last done something in this page; who has just come back to it has done nothing yet. */
let last: 'pointer' | 'keyboard' | 'return' = 'keyboard';

if (typeof window !== 'undefined') {
  const heard = { capture: true, passive: true };
  window.addEventListener('pointerdown', () => (last = 'pointer'), heard);
  window.addEventListener('keydown', () => (last = 'keyboard'), heard);
  window.addEventListener('focus', ({ target }) => {
    if (target === window) last = 'return';
  });
}

export const lastInput = (): typeof last => last;
