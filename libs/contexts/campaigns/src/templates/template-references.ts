import type { CampaignTemplateSnapshot, CampaignVoucherTemplate } from '@scrip/contracts/campaigns';
import type { CatalogReferences } from '@scrip/contracts/catalog';
import type { RuleDefinition } from '@scrip/contracts/qualification';
import type { ResourceObject } from '@scrip/contracts/snapshot';

type Discount = CampaignVoucherTemplate['discount'];
type Fields = Record<string, unknown>;
type Named = Exclude<ResourceObject, 'validation_rules' | 'location'>;

/** What stands in place of an id. `unit`: of a product or a SKU. */
type IdOf = (object: Named | 'unit', id: string) => string;

/** What rules and discounts of a template name. */
export interface TemplateReferences {
  catalog: CatalogReferences;
  segments: readonly string[];
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const itemKinds: readonly unknown[] = ['product', 'sku', 'products_collection'] satisfies Named[];

/** An operand that names an item by its id. `entriesName`: what it is where it does not say so. */
const itemMapped = (item: unknown, entriesName: Named | undefined, idOf: IdOf): unknown => {
  if (!isFields(item) || typeof item.id !== 'string') return item;
  const object = item.object ?? entriesName;
  return itemKinds.includes(object) ? { ...item, id: idOf(object as Named, item.id) } : item;
};

const entriesOf = (rule: string, operator: string): Named | undefined => {
  if (operator === '$from') return 'products_collection';
  if (rule === 'product.id') return 'product';
  return rule === 'sku.id' ? 'sku' : undefined;
};

const operandsMapped = (rule: string, operator: string, operands: unknown, idOf: IdOf): unknown => {
  if (!Array.isArray(operands)) return operands;
  const isSegment = rule === 'customer.segment';
  return operands.map((operand: unknown) =>
    isSegment && typeof operand === 'string'
      ? idOf('segments', operand)
      : itemMapped(operand, entriesOf(rule, operator), idOf),
  );
};

/** Rules by number, or components of a bundle, and those below them. */
const groupMapped = (group: unknown, idOf: IdOf): unknown => {
  if (!isFields(group)) return group;
  return Object.fromEntries(
    Object.entries(group).map(([key, rule]) => {
      if (!isFields(rule)) return [key, rule];
      const { name, conditions, rules } = rule;
      const mapped = isFields(conditions)
        ? Object.entries(conditions).map(([operator, operands]) => [
            operator,
            operandsMapped(String(name), operator, operands, idOf),
          ])
        : null;
      return [
        key,
        {
          ...rule,
          ...(mapped ? { conditions: Object.fromEntries(mapped) as Fields } : {}),
          ...('rules' in rule ? { rules: groupMapped(rules, idOf) } : {}),
        },
      ];
    }),
  );
};

const scopeMapped = (scope: Fields, idOf: IdOf): Fields => {
  const entries = (value: unknown) =>
    Array.isArray(value) ? value.map((entry: unknown) => itemMapped(entry, undefined, idOf)) : value;
  return {
    ...scope,
    ...('included' in scope ? { included: entries(scope.included) } : {}),
    ...('excluded' in scope ? { excluded: entries(scope.excluded) } : {}),
  };
};

const ruleMapped = (rule: RuleDefinition, idOf: IdOf): RuleDefinition => ({
  ...rule,
  rules: groupMapped(rule.rules, idOf) as Fields,
  applicable_to: scopeMapped(rule.applicable_to, idOf),
  bundle_rules: groupMapped(rule.bundle_rules, idOf) as Fields | null,
});

const collectionPrefix = 'pc_';

const unitMapped = <Unit extends { unit_type?: string }>(unit: Unit, idOf: IdOf): Unit =>
  unit.unit_type === undefined
    ? unit
    : {
        ...unit,
        unit_type: idOf(
          unit.unit_type.startsWith(collectionPrefix) ? 'products_collection' : 'unit',
          unit.unit_type,
        ),
      };

const discountMapped = (discount: Discount, idOf: IdOf): Discount => {
  if (discount?.type !== 'UNIT') return discount;
  const { units } = discount;
  return {
    ...unitMapped(discount, idOf),
    ...(units ? { units: units.map((unit) => unitMapped(unit, idOf)) } : {}),
  };
};

type Mapped = Pick<CampaignTemplateSnapshot, 'content'> & { rules: RuleDefinition[] };

/** What a template has, with other ids in the rules and in a discount in units. */
export const withIds = <Template extends Mapped>(template: Template, idOf: IdOf): Template => {
  const { voucher } = template.content;
  const discount = discountMapped(voucher.discount, idOf);
  return {
    ...template,
    content: { ...template.content, voucher: { ...voucher, discount } },
    rules: template.rules.map((rule) => ruleMapped(rule, idOf)),
  };
};

/** The ids of records that the rules and the discount name. */
export const referencesOf = (template: Mapped): TemplateReferences => {
  const named: Record<Named | 'unit', Set<string>> = {
    product: new Set(),
    sku: new Set(),
    products_collection: new Set(),
    segments: new Set(),
    unit: new Set(),
  };
  withIds(template, (object, id) => {
    named[object].add(id);
    return id;
  });
  return {
    catalog: {
      products: [...named.product],
      skus: [...named.sku],
      collections: [...named.products_collection],
      units: [...named.unit],
    },
    segments: [...named.segments],
  };
};
