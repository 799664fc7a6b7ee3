import type { UpdateView } from '../updates/update-view.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of new versions; what comes of it is posted. */
export interface UpdateRequests {
  readonly updates: { readonly input: Nothing; readonly value: UpdateView };
  readonly checkForUpdates: { readonly input: Nothing; readonly value: Nothing };
  /** The one that is offered. */
  readonly fetchUpdate: { readonly input: Nothing; readonly value: Nothing };
  /** Quits, and starts the version that waits, or the one before this. Not while a talk goes on. */
  readonly switchVersion: {
    readonly input: { readonly to: 'next' | 'previous' };
    readonly value: Nothing;
  };
  /** One was told of the new version. */
  readonly updateSeen: { readonly input: Nothing; readonly value: Nothing };
}

export interface UpdateNotices {
  readonly updatesChanged: UpdateView;
}
