import {
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
} from '../../shared/protocol/json.ts';

/**
 * Checks arguments against the JSON Schema of a tool. Returns a sentence for the model, or undefined. Checks only common
 * keywords and leaves the others to the tool, because a hostile server's `pattern` could run for hours.
 */
export function checkArguments(schema: JsonObject, args: JsonObject): string | undefined {
  return problemAt(schema, args, 'arguments', 0);
}

const maxDepth = 16;
const maxAlternatives = 20;

function problemAt(
  schema: JsonValue,
  value: JsonValue,
  path: string,
  depth: number,
): string | undefined {
  if (!isJsonObject(schema) || depth > maxDepth) return undefined;
  return (
    typeProblem(schema, value, path) ??
    enumProblem(schema, value, path) ??
    sizeProblem(schema, value, path) ??
    alternativesProblem(schema, value, path, depth) ??
    partsProblem(schema, value, path, depth)
  );
}

function typeProblem({ type }: JsonObject, value: JsonValue, place: string): string | undefined {
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  if (types.some((each) => hasType(value, each))) return undefined;
  const names = types.map((each) => (typeof each === 'string' ? each : '?'));
  return `${place} must be ${names.join(' or ')}`;
}

function hasType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  // Unknown types pass; the tool checks them.
  return type !== 'string' && type !== 'number' && type !== 'boolean'
    ? true
    : typeof value === type;
}

function enumProblem(schema: JsonObject, value: JsonValue, place: string): string | undefined {
  const { enum: listed, const: only } = schema;
  if (only !== undefined && !isSameJson(only, value))
    return `${place} must be ${JSON.stringify(only)}`;
  if (!Array.isArray(listed)) return undefined;
  const allowed = listed as readonly JsonValue[];
  if (allowed.some((each) => isSameJson(each, value))) return undefined;
  return `${place} must be one of ${JSON.stringify(allowed).slice(0, 300)}`;
}

function sizeProblem(schema: JsonObject, value: JsonValue, place: string): string | undefined {
  const size = sizeOf(value);
  if (size === undefined) return undefined;
  const [minKey, maxKey] =
    typeof value === 'number'
      ? ['minimum', 'maximum']
      : typeof value === 'string'
        ? ['minLength', 'maxLength']
        : ['minItems', 'maxItems'];
  const subject = typeof value === 'number' ? place : `the length of ${place}`;
  const { [minKey]: min, [maxKey]: max } = schema;
  if (typeof min === 'number' && size < min) return `${subject} must be at least ${min}`;
  if (typeof max === 'number' && size > max) return `${subject} must be at most ${max}`;
  return undefined;
}

function sizeOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : undefined;
}

function alternativesProblem(
  { anyOf, oneOf, allOf }: JsonObject,
  value: JsonValue,
  place: string,
  depth: number,
): string | undefined {
  for (const all of listOf(allOf)) {
    const problem = problemAt(all, value, place, depth + 1);
    if (problem !== undefined) return problem;
  }
  for (const alternatives of [listOf(anyOf), listOf(oneOf)]) {
    const problems = alternatives.map((each) => problemAt(each, value, place, depth + 1));
    if (problems.length > 0 && !problems.includes(undefined)) return problems[0];
  }
  return undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).slice(0, maxAlternatives) : [];
}

function partsProblem(
  schema: JsonObject,
  value: JsonValue,
  place: string,
  depth: number,
): string | undefined {
  const { properties, required, additionalProperties, items } = schema;
  if (Array.isArray(value)) {
    if (items === undefined) return undefined;
    return firstProblem(value as readonly JsonValue[], (item, index) =>
      problemAt(items, item, `${place}[${index}]`, depth + 1),
    );
  }
  if (!isJsonObject(value)) return undefined;
  const known = isJsonObject(properties) ? properties : {};
  const missing = listOf(required)
    .filter((name) => typeof name === 'string')
    .find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${place}.${missing} is missing`;
  return firstProblem(Object.entries(value), ([name, part]) => {
    const schemaOfPart = Object.hasOwn(known, name) ? known[name] : additionalProperties;
    if (schemaOfPart === false) return `${place} has no ${JSON.stringify(name)}`;
    if (schemaOfPart === undefined) return undefined;
    return problemAt(schemaOfPart, part, `${place}.${name}`, depth + 1);
  });
}

function firstProblem<Item>(
  items: readonly Item[],
  problemOf: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
