/** Puts facts in their `{{places}}`, as the page's library does; a fact is said as it is. */
export function fillMessage(
  message: string,
  facts: Readonly<Record<string, string | number>>,
): string {
  return message.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(facts, name) ? String(facts[name]) : place,
  );
}
