import type { LoadedRules, RuleDefinition } from '@scrip/contracts/qualification';
import { type Refusal, refuse } from '@scrip/kernel';

/** Rules about what is one project's own, or one person's: of no use to what is made from a template. */
const unsupported: ReadonlySet<string> = new Set([
  'redemption.api_key',
  'redemption.user.login',
  'customer.loyalty_tier',
]);

/** What a rule among others is called, and the metadata that it looks at; null: none. */
interface NamedRule {
  name: string;
  property: string | null;
}

/** A rule's own rules and those below them. */
export const rulesIn = (rules: unknown): NamedRule[] =>
  Object.values((rules ?? {}) as Record<string, unknown>).flatMap((rule) => {
    if (typeof rule !== 'object' || rule === null) return [];
    const { name, property, rules: below } = rule as Record<string, unknown>;
    const own =
      typeof name === 'string' ? [{ name, property: typeof property === 'string' ? property : null }] : [];
    return [...own, ...rulesIn(below)];
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
  const misfit = rules.flatMap((rule) => rulesIn(rule.rules)).find(({ name }) => unsupported.has(name));
  return misfit
    ? refuse('invalid_payload', `Property ${property} must name a source without rules '${misfit.name}'`)
    : rules;
};
