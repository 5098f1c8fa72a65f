import type { OrderState } from '@scrip/order-calculation';
import type { MetadataSchemaName } from '../compile/metadata-types';
import type { ValueKind } from '../conditions/conditions';
import type { ModeTraits } from '../evaluation/rule-mode';
import type { RuleContext } from '../evaluation/rule-context';

/** A line of the running order. */
export type Line = OrderState['lines'][number];

/** The lines that a rule about lines found, among all lines of the running order. */
export interface MatchedLines {
  readonly matched: readonly Line[];
  readonly all: readonly Line[];
}

/** What a refusal says was violated; the first present wins. Source: reference 02 §4.4. */
export type RuleGroup = 'customer' | 'order' | 'redemption';

type Metadata = Readonly<Record<string, unknown>>;

/** A value that conditions are about, or the metadata in which a property is looked up. Of the request, undefined says
 *  that there is no such thing in the context; null is an absent value. */
export type Reading<Subject> =
  | { readonly kind: Exclude<ValueKind, 'products'>; value(subject: Subject): unknown }
  | { readonly schema: MetadataSchemaName; metadata(subject: Subject): Metadata | undefined };

/** Which lines must satisfy a rule about lines. */
export type Quantifier = 'any' | 'every' | 'none' | 'cheapest' | 'most_expensive';

/** What a rule measures: something of the request; each line of the running order, against products or by a value;
 *  as a sub-rule, each line that its parent matched, or all of these together. */
export type Measure =
  | ({ readonly of: 'request' } & Reading<RuleContext>)
  | ({ readonly of: 'lines'; readonly quantifier: 'any' | 'every' } & Reading<Line>)
  | {
      readonly of: 'products';
      readonly quantifier: Quantifier;
      /** What an entry without `object` names; absent: entries must say. */
      readonly entriesName?: 'product' | 'sku';
    }
  | ({ readonly of: 'matchedLine' } & Reading<Line>)
  | ({ readonly of: 'matchedLines' } & Reading<MatchedLines>);

/** A rule name of the catalogue. Adding a rule is adding an entry. Source: reference 02 §3. */
export interface RuleEntry extends ModeTraits {
  readonly name: string;
  readonly group: RuleGroup;
  readonly measure: Measure;
  /** Looks at the order or the consumption after the incentive's effect. */
  readonly needsResult?: true;
  /** Its value is a count or sum over time, `counted` by the caller. */
  readonly isCounted?: true;
  /** Rules about the lines it matched that may stand below it. */
  readonly lineRules?: readonly RuleEntry[];
  /** Its matched lines join the discount's scope. */
  readonly joinsScope?: true;
}
