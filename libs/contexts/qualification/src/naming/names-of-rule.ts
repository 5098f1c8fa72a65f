import type { NamedObject, RuleDefinition } from '@scrip/contracts/qualification';
import { isRefused } from '@scrip/kernel';
import { compileRule, type RuleDemands, ruleDemands } from '@scrip/rules';

const demandsOf = (definition: RuleDefinition): RuleDemands | null => {
  const compiled = compileRule(definition, '');
  return isRefused(compiled) ? null : ruleDemands([compiled], 'FULL');
};

/** The ids and source ids of segments, products, SKUs and collections that a rule names, each once. Source: reference 02 §3. */
export const namesOfRule = (definition: RuleDefinition): string[] => {
  const demands = demandsOf(definition);
  if (!demands) return [];
  const { segments, collections, items } = demands;
  const ofItems = items.flatMap(({ id, source_id }) => [id, source_id]);
  const names = [...segments.ids, ...collections, ...ofItems];
  return [...new Set(names.filter((name) => name !== undefined))];
};

/** Whether a rule names an object as what it is: a segment's id is none of a product. */
export const ruleNames = (definition: RuleDefinition, { object, id, source_id }: NamedObject): boolean => {
  const demands = demandsOf(definition);
  if (!demands) return false;
  if (object === 'segment') return demands.segments.ids.includes(id);
  if (object === 'products_collection') return demands.collections.includes(id);
  return demands.items.some(
    (item) => item.object === object && (item.id === id || (source_id && item.source_id === source_id)),
  );
};
