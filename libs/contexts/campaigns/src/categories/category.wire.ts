import type { CategorySnapshot } from '@scrip/contracts/snapshot';

/** A category as the API shows it. Source: reference 04 §9. */
export interface CategoryResponse {
  /** `cat_…` */
  id: string;
  object: 'category';
  name: string;
  /** Lower is more important. */
  hierarchy: number;
  created_at: string;
  /** Absent until the first change. */
  updated_at?: string;
}

/** Renders a category. */
export const renderCategory = ({ object: _, ...category }: CategorySnapshot): CategoryResponse => ({
  ...category,
  object: 'category',
});
