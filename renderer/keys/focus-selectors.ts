/** Where keys go by themselves: into a text that is being written. */
export const textInputSelector = 'input, textarea, select, [contenteditable="true"]';

/** What lies over the page, and has the keys while it does. */
export const overlaySelector = '[role="menu"], [role="dialog"]';

/** Where one looks for something on a screen that has such a field. */
export const searchSelector = '.search-field input';
