/** How Parley is used, in the window. */
export const englishGuide = {
  title: 'Guide',
  sections: 'Parts of the guide',
  search: 'Search the guide',
  clear: 'Clear',
  nothing: 'Nothing in the guide has these words.',
} as const;
