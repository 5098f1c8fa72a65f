/** Custom attributes as stored. A formula reads numbers, texts (never as numbers, whatever they look like; as dates
 *  where it needs one), booleans and lists; nested objects by dotted path, after an attribute of that very name.
 *  Source: reference 01 §8. */
export type FormulaMetadata = Readonly<Record<string, unknown>>;

/** A line of the order. Money: minor units, undefined where unknown. `price`: unit price, where it is no integer the
 *  average, which formulas read as `amount` / `quantity`; `amount`: before stacked discounts; `subtotal`: after them.
 *  Source: reference 01 §3, §8. */
export interface FormulaLine {
  readonly price: number | undefined;
  readonly amount: number | undefined;
  readonly subtotal: number | undefined;
  readonly quantity: number;
  readonly metadata: FormulaMetadata;
  readonly productMetadata: FormulaMetadata;
}

/** The order a formula looks at. `amount`: minor units before discounts. An object stands for one state of the
 *  order and must not change after a formula has seen it: what was found by walking its lines is kept for the next
 *  evaluation; a changed order is a new object. Source: reference 01 §8. */
export interface FormulaOrder {
  readonly amount: number | undefined;
  readonly lines: readonly FormulaLine[];
  readonly metadata: FormulaMetadata;
  readonly bundleQuantity: number | undefined;
}

/** Everything a formula may look at; null where there is no such thing, which fails what reads it. `timezone`: IANA
 *  name, the project's. Dates: `YYYY-MM-DD` or instants as the API writes them. `line`: the line an item effect is
 *  about, null for all others. `voucher.redemptionQuantity`: null = unlimited. Source: reference 01 §8. */
export interface FormulaContext {
  readonly now: Date;
  readonly timezone: string;
  readonly order: FormulaOrder | null;
  readonly line: FormulaLine | null;
  readonly customer: { readonly metadata: FormulaMetadata; readonly birthdate: string | null } | null;
  readonly redeemableMetadata: FormulaMetadata;
  readonly redemptionMetadata: FormulaMetadata;
  readonly publicationMetadata: FormulaMetadata;
  readonly voucher: {
    readonly redemptionQuantity: number | null;
    readonly redeemedQuantity: number;
    readonly publishCount: number;
    readonly startDate: string | null;
    readonly expirationDate: string | null;
  } | null;
  readonly promotionTier: {
    readonly startDate: string | null;
    readonly expirationDate: string | null;
  } | null;
}
