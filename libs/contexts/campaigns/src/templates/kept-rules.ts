import type { LoadedRules, RuleDefinition } from '@scrip/contracts/qualification';
import { type Refusal, refuse } from '@scrip/kernel';

/** Rules about what is one project's own, or one person's: of no use to what is made from a template. */
const unsupported: ReadonlySet<string> = new Set([
  'redemption.api_key',
  'redemption.user.login',
  'customer.loyalty_tier',
]);

/** The names of a rule's own rules and of those below them. */
const namesIn = (rules: unknown): string[] =>
  Object.values((rules ?? {}) as Record<string, unknown>).flatMap((rule) => {
    if (typeof rule !== 'object' || rule === null) return [];
    const { name, rules: below } = rule as { name?: unknown; rules?: unknown };
    return [...(typeof name === 'string' ? [name] : []), ...namesIn(below)];
  });

/** What a template keeps of the rules of its source. `property`: the one that named the source. Refuses `invalid_payload` for rules
 *  that templates do not support, and for more of them than a template holds. Source: reference 04 §12. */
export const keptRules = (
  { rules, total }: LoadedRules,
  property: string,
): RuleDefinition[] | Refusal<'invalid_payload'> => {
  if (total > rules.length) {
    return refuse(
      'invalid_payload',
      `Property ${property} must name a source with at most 20 validation rules of 512 KiB together: it has ${total}`,
    );
  }
  const name = rules.flatMap((rule) => namesIn(rule.rules)).find((one) => unsupported.has(one));
  return name === undefined
    ? rules
    : refuse('invalid_payload', `Property ${property} must name a source without rules '${name}'`);
};
