import type { Calculation } from '@scrip/order-preview';
import type { ReportStyle } from './style';

type Applicable = Extract<Calculation['redeemables'][number], { status: 'APPLICABLE' }>;
type Bundle = NonNullable<Applicable['result']['bundle']>;
type Discount = NonNullable<Applicable['result']['discount']>;
type ScopeEntry = Applicable['applicable_to']['data'][number];
type ListedUnits = NonNullable<ScopeEntry['order_item_units']>[number];

const valueOf = (discount: Discount, { amount }: ReportStyle): string => {
  switch (discount.type) {
    case 'AMOUNT':
      return amount(discount.amount_off);
    case 'PERCENT':
      return `${discount.percent_off} %`;
    case 'FIXED':
      return amount(discount.fixed_amount);
    case 'UNIT':
      return (discount.units ?? [discount])
        .map(({ unit_off: units = 0, unit_type: item = '' }) => `${units} x ${item}`)
        .join(', ');
  }
};

const discountText = (discount: Discount, style: ReportStyle): string =>
  `${discount.type} ${valueOf(discount, style)}, ${discount.effect}${discount.is_dynamic ? ', by formula' : ''}`;

/** What an applicable redeemable gives. */
export const incentiveText = (
  { discount, gift, loyalty_card: card }: Applicable['result'],
  style: ReportStyle,
): string => {
  if (discount) return discountText(discount, style);
  if (gift) return `gift card: ${style.amount(gift.credits)} of ${style.amount(gift.balance)} used`;
  return `loyalty card: ${card?.points ?? 0} points used`;
};

const unitsText = ({ index, units }: ListedUnits): string =>
  units ? `line ${index} unit${units.length === 1 ? '' : 's'} ${units.join(', ')}` : `line ${index}`;

/** Items that a collection matched follow it with lines that are the collection's: they are left out. */
const definitionsIn = (entries: readonly ScopeEntry[]): readonly ScopeEntry[] => {
  const listed = new Set<number>();
  return entries.filter(({ object, order_item_indices: indices = [] }) => {
    const isNew = indices.length > 0 && !listed.has(indices[0]!);
    if (object === 'products_collection') for (const index of indices) listed.add(index);
    return isNew;
  });
};

/** Which units of which lines each definition of the scope covers. */
export const scopeLines = ({ applicable_to }: Applicable): string[] =>
  definitionsIn(applicable_to.data).map(
    ({ object, id, order_item_units: units = [] }) =>
      `${object} ${id} covers ${units.map(unitsText).join('; ')}`,
  );

/** What of a bundle is in the order, and what lacks. */
export const bundleText = ({ quantity, limit, identified = [], missing = [] }: Bundle): string => {
  const found = identified.map(
    ({ item_quantity: units, id, item_index: index }) => `${units} x ${id} (line ${index})`,
  );
  if (quantity > 0) return `bundle: found ${quantity} of at most ${limit}: ${found.join(', ')}`;
  const lacks = missing.map(({ item_quantity: units, id, object }) => `${units} x ${object} ${id}`);
  return `bundle: found ${found.length > 0 ? found.join(', ') : 'nothing'}; missing ${lacks.join(', ')}`;
};
