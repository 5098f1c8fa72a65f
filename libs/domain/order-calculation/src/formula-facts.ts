import type { FormulaContext, FormulaLine, FormulaOrder } from '@scrip/formulas';
import type { CalculationContext } from './calculation-context';
import { itemMetadata } from './order/item-metadata';
import { type LineState, type OrderState, openSubtotalOf, unitPriceOf } from './order/order-state';
import type { Redeemable } from './redeemable';

type Metadata = Readonly<Record<string, unknown>>;

const nothing: Metadata = {};

// Most formulas read few operands, so everything that costs something is found when it is asked for.
class LineFacts implements FormulaLine {
  constructor(private readonly line: LineState) {}

  get price(): number | undefined {
    return unitPriceOf(this.line);
  }

  get amount(): number | undefined {
    return this.line.amount;
  }

  get subtotal(): number | undefined {
    return this.line.amount === undefined ? undefined : openSubtotalOf(this.line);
  }

  get quantity(): number {
    return this.line.quantity;
  }

  get metadata(): Metadata {
    return this.line.echo.metadata ?? nothing;
  }

  get productMetadata(): Metadata {
    return itemMetadata(this.line.echo) ?? nothing;
  }
}

class OrderFacts implements FormulaOrder {
  private walked: readonly FormulaLine[] | undefined;

  constructor(
    private readonly order: OrderState,
    readonly metadata: Metadata,
    readonly bundleQuantity: number | undefined,
  ) {}

  get amount(): number | undefined {
    return this.order.amount;
  }

  get lines(): readonly FormulaLine[] {
    return (this.walked ??= this.order.lines.map((line) => new LineFacts(line)));
  }
}

/** What a formula of `redeemable` reads, on the running order; `line` for formulas evaluated per covered line. The
 *  order's lines are not walked before a formula reads them. Source: reference 01 §8. */
export const formulaContextOf = (
  redeemable: Pick<Redeemable, 'facts'>,
  order: OrderState | null,
  line: LineState | null,
  bundleQuantity: number | undefined,
  { now = new Date(0), timezone = 'UTC', facts = {} }: CalculationContext,
): FormulaContext => ({
  now,
  timezone,
  order: order && new OrderFacts(order, facts.orderMetadata ?? nothing, bundleQuantity),
  line: line && new LineFacts(line),
  customer: facts.customer ?? null,
  redeemableMetadata: redeemable.facts?.redeemableMetadata ?? nothing,
  redemptionMetadata: facts.redemptionMetadata ?? nothing,
  publicationMetadata: redeemable.facts?.publicationMetadata ?? nothing,
  voucher: redeemable.facts?.voucher ?? null,
  promotionTier: redeemable.facts?.promotionTier ?? null,
});
