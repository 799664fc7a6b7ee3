import type { PrivacySettings } from '../../shared/settings/settings-groups.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What is older than this has been kept for as long as the person wants; nothing where it may stay. */
export function retentionCutoff({ days }: PrivacySettings, now: number): number | undefined {
  return days === 'forever' ? undefined : now - days * dayMs;
}
