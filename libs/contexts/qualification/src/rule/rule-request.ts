import type { RuleDefinition } from '@scrip/contracts/qualification';
import type { Metadata } from '@scrip/contracts/snapshot';
import { isRefused } from '@scrip/kernel';
import { compileRule } from '@scrip/rules';
import {
  clearable,
  identifier,
  jsonObject,
  namedShape,
  nullable,
  oneOf,
  parsePayload,
  type Reader,
} from '@scrip/wire/requests';
import { contextTypes } from './context-types';
import type { RuleRefusal } from './rule.decider';
import { segmentsAreNamedById } from './segment-operands';

/** Body of POST and PUT /v1/validation-rules. What rules may say is decided by `compileRule`. Source: reference 02 §1. */
export const ruleRequest = namedShape('ValidationRuleRequest', {
  name: clearable(identifier),
  rules: clearable(jsonObject),
  error: clearable(jsonObject),
  applicable_to: clearable(jsonObject),
  bundle_rules: clearable(jsonObject),
  type: nullable(oneOf('expression', 'basic', 'advanced', 'complex')),
  context_type: nullable(oneOf(...contextTypes)),
});

type RuleRequest = typeof ruleRequest extends Reader<infer T> ? T : never;

const nothing: Omit<RuleDefinition, 'name'> = {
  rules: { logic: '' },
  error: null,
  applicable_to: { excluded: [], included: [], included_all: false },
  bundle_rules: null,
  type: 'expression',
  context_type: 'global',
};

const chosen = (sent: object | null | undefined, stored: Metadata, none: Metadata): Metadata =>
  sent === undefined ? stored : ((sent ?? none) as Metadata);

const merged = (request: RuleRequest, stored: Omit<RuleDefinition, 'name'> & { name?: string }) => ({
  name: request.name === undefined ? stored.name : request.name,
  rules: chosen(request.rules, stored.rules, nothing.rules),
  error: request.error === undefined ? stored.error : ((request.error as Metadata) ?? null),
  applicable_to: chosen(request.applicable_to, stored.applicable_to, nothing.applicable_to),
  bundle_rules:
    request.bundle_rules === undefined ? stored.bundle_rules : ((request.bundle_rules as Metadata) ?? null),
  type: request.type ?? stored.type,
  context_type: request.context_type ?? stored.context_type,
});

const withEffect = (entries: unknown): unknown =>
  Array.isArray(entries)
    ? entries.map((entry: Metadata) => ({ ...entry, effect: entry['effect'] ?? 'APPLY_TO_EVERY' }))
    : entries;

/** The scope as it is stored and answered: an entry that names no effect applies to every unit. Source: reference 02 §1.3. */
const scopeWithEffects = (scope: Metadata): Metadata =>
  Object.fromEntries(Object.entries(scope).map(([list, entries]) => [list, withEffect(entries)])) as Metadata;

/** Reads a body over what is stored: what is sent replaces it whole, the rest stays. `stored` null: a new rule. Refuses
 *  `invalid_payload`, and `invalid_validation_rules` with the first problem of the definitions. Source: reference 02 §1.2, §5. */
export const readRule = (
  body: unknown,
  { id, stored }: { id: string; stored: RuleDefinition | null },
): RuleDefinition | RuleRefusal => {
  const request = parsePayload(ruleRequest, body);
  if (isRefused(request)) return request;
  const definition = merged(request, stored ?? nothing);
  const compiled = compileRule(definition, id);
  if (isRefused(compiled)) return compiled;
  const misnamed = request.rules === undefined ? null : segmentsAreNamedById(compiled);
  if (misnamed) return misnamed;
  return { ...(definition as RuleDefinition), applicable_to: scopeWithEffects(definition.applicable_to) };
};
