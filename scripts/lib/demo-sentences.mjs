/**
 * Sentences that the demonstration speaks. The embedded gateway's repertoire refers to these ids. Each sentence is true of
 * a gateway that measures loudness and understands no words.
 */
export const sentences = [
  { id: 'hello', text: 'Hello, I am the demonstration that lives inside Parley.' },
  { id: 'hear', text: 'I can hear you, but I do not understand words.' },
  { id: 'recorded', text: 'Everything I say was recorded beforehand.' },
  { id: 'connect', text: 'Connect Parley to a real server for a true conversation.' },
  { id: 'sorry', text: 'Sorry, go on.' },
  { id: 'see', text: 'I can see your picture.' },
  { id: 'again', text: 'There you are again.' },
  { id: 'interrupt', text: 'You may interrupt me at any time, and I will stop.' },
  { id: 'turns', text: 'You spoke, then you were quiet, so now it is my turn.' },
  { id: 'loudness', text: 'I notice by loudness alone when you begin and when you stop.' },
  { id: 'only', text: 'I am only a demonstration.' },
  { id: 'written', text: 'My answer is written in the text.' },
];
