import { IsOptional } from 'class-validator';
import { IsDateInput, IsInteger, IsOneOf, IsPage, IsText } from '../validation/rules';

/** `limit` of every list: 1 to 100, 10 unless sent. Source: reference 07 §1.4. */
export class LimitQuery {
  @IsOptional()
  @IsInteger({ min: 1, max: 100 })
  limit = 10;
}

/** `starting_after_id` of a list of which one is called `what`. Source: reference 07 §1.4. */
export const IsCursor = (what: string): PropertyDecorator =>
  IsText({
    min: 1,
    max: 512,
    description: `Id of the last ${what} of the page before: the list goes on behind it.`,
  });

/** Query of a list by pages: `limit`, `page` (1 to `highestPage`), and `order` (a field, `-` prefix descending).
 *  Usage: `class VoucherQuery extends pageQuery({ highestPage: 99, orders: ['created_at', 'code'], order: '-created_at' }) {}` */
export const pageQuery = <Field extends string>(options: {
  highestPage: number;
  orders: readonly Field[];
  order: Field | `-${Field}`;
}) => {
  class PageQuery extends LimitQuery {
    @IsOptional()
    @IsPage(options.highestPage)
    page = 1;

    @IsOptional()
    @IsOneOf(options.orders.flatMap((field) => [field, `-${field}`]))
    order: Field | `-${Field}` = options.order;
  }
  return PageQuery;
};

/** Query of a list that goes back in time: `limit` and `end_date` (created strictly before it). */
export class EndDateQuery extends LimitQuery {
  @IsOptional()
  @IsDateInput()
  end_date?: string;
}

/** A filter on a time, both ends excluded: `created_at[after]=…&created_at[before]=…`. Source: reference 07 §1.4. */
export class InstantRange {
  @IsOptional() @IsDateInput() before?: string;
  @IsOptional() @IsDateInput() after?: string;
}

/** Offset of a page's first item. */
export const offsetOf = ({ page, limit }: { page: number; limit: number }): number => (page - 1) * limit;

/** An `order` text in parts. */
export const orderOf = <Field extends string>(
  order: Field | `-${Field}`,
): { field: Field; descending: boolean } =>
  order.startsWith('-')
    ? { field: order.slice(1) as Field, descending: true }
    : { field: order as Field, descending: false };
