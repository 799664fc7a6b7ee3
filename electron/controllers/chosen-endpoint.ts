import { endpointOf } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointProfile } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointSettings } from '../../shared/settings/endpoint-settings.ts';

/** The server that is talked with next; the demonstration where the chosen one is gone. */
export function chosenEndpoint({ chosen, list }: EndpointSettings): EndpointProfile {
  const [demonstration] = list;
  const found = list.find(({ id }) => id === chosen) ?? demonstration;
  if (found === undefined) throw new Error('the demonstration is always there');
  return found;
}

/** Its address, by which its dialect and pace are remembered; none for the demonstration. */
export function addressOf(profile: EndpointProfile): string | undefined {
  if (profile.kind === 'embedded') return undefined;
  const endpoint = endpointOf(profile);
  return endpoint.ok ? endpoint.value.url : undefined;
}

export function isSameEndpoint(one: EndpointProfile, other: EndpointProfile): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
