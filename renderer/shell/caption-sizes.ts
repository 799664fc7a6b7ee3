/** The sizes of captions that are offered where there is no room for all; the settings have the rest. */
export const captionSizes = [28, 38, 50] as const;
