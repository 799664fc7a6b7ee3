import type { AppLanguage } from '../../shared/presets/preset.ts';

/**
 * Which of the two languages that Parley has words in is spoken with the model: the system's own where
 * none was chosen, as far as it is one of them.
 */
export function spokenLanguage(chosen: 'system' | AppLanguage): AppLanguage {
  if (chosen !== 'system') return chosen;
  const system = Intl.DateTimeFormat().resolvedOptions().locale;
  return system.startsWith('zh') ? 'zh' : 'en';
}
