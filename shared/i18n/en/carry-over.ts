/** What frames the record of a conversation for the model that goes on with it. */
export const englishCarryOver = {
  begin: '--- Record of the conversation so far ---',
  about:
    'This conversation goes on from an earlier session. Below is what you said in it, oldest first. What the person said is not on record. Where a line ends in […], you were interrupted there. Do not read this out or mention it; go on naturally.',
  end: '--- End of the record ---',
} as const;
