import { compileFormula, isFormulaProblem } from '@scrip/formulas';
import { type Refusal, refuse } from '@scrip/kernel';
import type { Discount } from '@scrip/order-calculation';
import type { DiscountBody, UnitBody } from './bodies/discount.dto';

type Misfit = Refusal<'invalid_payload'>;

/** What a kind of discount has; of `required`, one of several names is enough. */
interface KindFields {
  required: readonly (keyof DiscountBody)[][];
  optional: readonly (keyof DiscountBody)[];
  effects: readonly string[];
}

const ofUnits: KindFields = {
  required: [['unit_off', 'unit_off_formula'], ['unit_type']],
  optional: ['effect', 'is_dynamic'],
  effects: ['ADD_MISSING_ITEMS', 'ADD_NEW_ITEMS', 'ADD_SAME_ITEMS', 'REPLACE_ITEMS'],
};

const ofManyUnits: KindFields = {
  required: [['units']],
  optional: ['effect', 'is_dynamic'],
  effects: ['ADD_MANY_ITEMS'],
};

const fieldsOf: Record<Exclude<Discount['type'], 'UNIT'>, KindFields> = {
  AMOUNT: {
    required: [['amount_off']],
    optional: ['amount_off_formula', 'aggregated_amount_limit', 'effect', 'is_dynamic'],
    effects: [
      'APPLY_TO_ORDER',
      'APPLY_TO_ITEMS',
      'APPLY_TO_ITEMS_PROPORTIONALLY',
      'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
      'APPLY_TO_ITEMS_BY_QUANTITY',
    ],
  },
  PERCENT: {
    required: [['percent_off']],
    optional: ['percent_off_formula', 'amount_limit', 'aggregated_amount_limit', 'effect', 'is_dynamic'],
    effects: ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'],
  },
  FIXED: {
    required: [['fixed_amount']],
    optional: ['fixed_amount_formula', 'effect', 'is_dynamic'],
    effects: ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'],
  },
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const kindOf = ({ type, effect, units }: DiscountBody): KindFields => {
  if (type !== 'UNIT') return fieldsOf[type];
  return effect === 'ADD_MANY_ITEMS' || (isSet(units) && !isSet(effect)) ? ofManyUnits : ofUnits;
};

const formulas = [
  'amount_off_formula',
  'percent_off_formula',
  'fixed_amount_formula',
  'unit_off_formula',
] as const;

const formulasMustCompile = (
  body: Partial<Record<(typeof formulas)[number], unknown>>,
  path: string,
): Misfit | null => {
  for (const name of formulas) {
    const text = body[name];
    if (typeof text !== 'string') continue;
    const formula = compileFormula(text);
    if (isFormulaProblem(formula)) {
      return refuse(
        'invalid_payload',
        `Property ${path}.${name} should be a formula: ${formula.message} (at character ${formula.offset + 1})`,
      );
    }
  }
  return null;
};

const shipping = 'prod_5h1pp1ng';
const collectionPrefix = 'pc_';
/** The effect of which the units may be those of a collection. */
const sameItems = 'ADD_SAME_ITEMS';

const unitsMustBeKnown = (
  {
    unit_type = '',
    unit_off_formula,
    effect,
  }: Pick<DiscountBody, 'unit_off_formula' | 'unit_type' | 'effect'>,
  path: string,
): Misfit | null => {
  if (unit_type === shipping && isSet(unit_off_formula)) {
    return refuse('invalid_payload', `Property ${path}.unit_off_formula is not allowed for shipping`);
  }
  return unit_type.startsWith(collectionPrefix) && effect !== sameItems
    ? refuse('invalid_payload', `Property ${path}.unit_type can be a collection with ${sameItems} only`)
    : null;
};

const kept = (body: object, names: readonly string[]): object =>
  Object.fromEntries(
    names
      .map((name) => [name, (body as Record<string, unknown>)[name]] as const)
      .filter(([, value]) => isSet(value)),
  );

/** An entry of `units`; which record it names is found when it is calculated. */
const readUnit = (unit: UnitBody, path: string): object | Misfit =>
  !isSet(unit.unit_off) && !isSet(unit.unit_off_formula)
    ? refuse('invalid_payload', `Property ${path} should have required property 'unit_off'`)
    : (formulasMustCompile(unit, path) ??
      unitsMustBeKnown(unit, path) ??
      kept(unit, ['unit_off', 'unit_off_formula', 'unit_type', 'effect']));

const isRefusal = (read: object): read is Misfit => 'refused' in read;

const readUnits = (units: readonly UnitBody[] | undefined, path: string): object[] | Misfit | undefined => {
  const read = units?.map((unit, index) => readUnit(unit, `${path}.units[${index}]`));
  return read?.find(isRefusal) ?? read;
};

/** The discount with the fields of its kind only. Refuses `invalid_payload` for a missing field, an effect of another kind
 *  and a formula that is none. `path`: where the body has it. Source: reference 01 §5, §7, §8. */
export const readDiscount = (body: DiscountBody, path = '.voucher.discount'): Discount | Misfit => {
  const { required, optional, effects } = kindOf(body);
  const missing = required.find((either) => !either.some((name) => isSet(body[name])));
  if (missing)
    return refuse('invalid_payload', `Property ${path} should have required property '${missing[0]}'`);
  if (isSet(body.effect) && !effects.includes(body.effect ?? '')) {
    return refuse(
      'invalid_payload',
      `Property ${path}.effect should be equal to one of the allowed values [ ${effects.join(', ')} ]`,
    );
  }
  const own = kept(body, ['type', ...required.flat(), ...optional]) as DiscountBody;
  const misfit = formulasMustCompile(own, path) ?? unitsMustBeKnown(own, path);
  if (misfit) return misfit;
  const units = readUnits(own.units, path);
  if (units && !Array.isArray(units)) return units;
  return { ...own, ...(units ? { units } : {}) } as unknown as Discount;
};
