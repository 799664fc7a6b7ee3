import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { serverOriginOf } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointProfile } from '../../shared/settings/endpoint-profile.ts';
import {
  hasValues,
  openValues,
  queryApart,
  sealValues,
} from '../../shared/settings/profile-values.ts';
import { changeSettings } from '../../shared/settings/read-settings.ts';
import type { EndpointFields } from './endpoint-fields.ts';
import type { SettingsStore } from './settings-store.ts';

interface Deps {
  readonly store: Pick<SettingsStore, 'get' | 'edit' | 'problems' | 'report' | 'settled'>;
  readonly fields: Pick<EndpointFields, 'keep'>;
}

/**
 * Moves the values that an older version, or a hand, has written into the settings to where tokens are kept. They are
 * there before the settings lose them, so that whoever is killed in between has them twice and never not at all.
 * What cannot be kept there stays where it is, and is told.
 */
export async function takeOverValues({ store, fields }: Deps): Promise<void> {
  const { list } = store.get().endpoints;
  // Nothing could be taken out of a file that is left as it is.
  if (store.problems().some(({ code }) => code === 'leftToNewer')) return;
  const moved: EndpointProfile[] = [];
  let unkept: AppError | undefined;
  for (const profile of list.map(queryApart)) {
    if (!hasValues(openValues(profile))) continue;
    const kept = await fields.keep(profile);
    if (kept.ok && kept.value === 'kept') moved.push(profile);
    else unkept ??= appError('valuesStay', {}, kept.ok ? {} : { cause: kept.error });
  }
  if (moved.length > 0) {
    const edited = store.edit((settings) => {
      const { list } = settings.endpoints;
      return changeSettings(settings, {
        endpoints: { list: list.map((profile) => withoutMoved(profile, moved)) },
      });
    });
    if (!edited.ok) unkept ??= appError('valuesStay', {}, { cause: edited.error });
    await store.settled();
  }
  if (unkept !== undefined) store.report(unkept);
}

/** By then another Parley may have written other values, or another server, for the same profile. */
function withoutMoved(
  profile: EndpointProfile,
  moved: readonly EndpointProfile[],
): EndpointProfile {
  const apart = queryApart(profile);
  const same = moved.find(
    (each) => each.id === profile.id && serverOriginOf(each) === serverOriginOf(profile),
  );
  return same === undefined ? profile : sealValues(apart, openValues(same));
}
