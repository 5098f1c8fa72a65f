import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { type Refusal, refuse } from '@scrip/kernel';

/** How a caller names a category: by id or by name, never both. */
export interface CategoryChoice {
  category?: string | null | undefined;
  category_id?: string | null | undefined;
}

/** What names a category. */
export interface Categorised {
  category_id: string | null;
  category: string | null;
  categories: CategorySnapshot[];
}

/** The category fields of a redeemable. */
export const categoryFields = (category: CategorySnapshot | null): Categorised => ({
  category_id: category?.id ?? null,
  category: category?.name ?? null,
  categories: category ? [category] : [],
});

/** The category fields of a redeemable that takes another category; none where it has that one, whatever was noted of it then: a change of
 *  the category itself is no change of what names it. Source: ADR 122. */
export const changedCategory = (
  { category_id }: Pick<Categorised, 'category_id'>,
  category: CategorySnapshot | null,
): Partial<Categorised> => ((category?.id ?? null) === category_id ? {} : categoryFields(category));

/** Refuses `invalid_payload` for a category named twice. Source: reference 04 §9, §15. */
export const categoryMustBeOneOfTwo = ({
  category,
  category_id,
}: CategoryChoice): Refusal<'invalid_payload'> | null =>
  category && category_id
    ? refuse('invalid_payload', 'Only one of .category and .category_id can be given')
    : null;
