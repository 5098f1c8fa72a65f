import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { notFound, type Refusal, refuse } from '@scrip/kernel';

/** Categories that a project can have. */
export const categoriesMax = 1_000;
/** Largest `hierarchy`. */
export const hierarchyMax = 1_000_000;
/** What a category gets that is created by its name alone. Source: reference 04 §15. */
export const defaultHierarchy = 1;

/** What a caller says of a category. */
export type CategoryFields = Pick<CategorySnapshot, 'name' | 'hierarchy'>;

/** What naming a category is refused with. */
export type ChoiceRefusal = Refusal<'not_found' | 'invalid_payload'>;

/** What calls for categories are refused with. */
export type CategoryRefusal = Refusal<
  'not_found' | 'duplicate_found' | 'invalid_payload' | 'resource_in_use'
>;

/** No category has that id. */
export const categoryNotFound = (id: string) => notFound('category', id);

/** A category of that name exists. Source: reference 04 §15. */
export const duplicateCategory = (name: string) =>
  refuse('duplicate_found', `Duplicated category exists with name ${name}`, {
    resourceId: name,
    resourceType: 'category',
  });

/** The project has as many categories as it can have. */
export const tooManyCategories = () =>
  refuse('invalid_payload', `A project can have at most ${categoriesMax} categories`);
