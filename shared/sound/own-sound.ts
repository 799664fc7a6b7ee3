/** Two ways to hear oneself: as it came in, and as it goes on after all that is done about echo, noise and level. */
export const ownSoundWays = ['captured', 'sent'] as const;

export type OwnSoundWay = (typeof ownSoundWays)[number];

/** What is to be said of it; of the first nothing can be heard. */
export const ownSoundVerdicts = ['unheard', 'quiet', 'clipped', 'good'] as const;

export type OwnSoundVerdict = (typeof ownSoundVerdicts)[number];
