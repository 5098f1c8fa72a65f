import { Injectable } from '@nestjs/common';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { type Categorised, categoryFields } from '@scrip/incentives';
import { Categories } from './categories.table';

/** Categories by project and id. */
export type KnownCategories = ReadonlyMap<string, CategorySnapshot>;

const keyOf = (projectId: string, id: string): string => `${projectId}\n${id}`;

/** The same record with its category as it is now; null where it does not exist any more. */
export const withCategory = <Named extends Categorised>(
  known: KnownCategories,
  projectId: string,
  named: Named,
): Named =>
  named.category_id === null
    ? named
    : { ...named, ...categoryFields(known.get(keyOf(projectId, named.category_id)) ?? null) };

/** Shows the categories of records as they are now. Source: ADR 122. */
@Injectable()
export class CurrentCategories {
  constructor(private readonly categories: Categories) {}

  /** The categories that records name, by one statement; by none where they name none. */
  async of(
    named: readonly { projectId: string; record: Pick<Categorised, 'category_id'> | null }[],
  ): Promise<KnownCategories> {
    const wanted = new Map<string, { projectId: string; id: string }>();
    for (const { projectId, record } of named) {
      const id = record?.category_id;
      if (id) wanted.set(keyOf(projectId, id), { projectId, id });
    }
    if (wanted.size === 0) return new Map();
    const found = await this.categories.loadOf([...wanted.values()]);
    return new Map(found.map(({ projectId, category }) => [keyOf(projectId, category.id), category]));
  }

  /** Records of one project, each with its category as it is now. */
  async shown<Named extends Categorised>(projectId: string, records: readonly Named[]): Promise<Named[]> {
    const known = await this.of(records.map((record) => ({ projectId, record })));
    return records.map((record) => withCategory(known, projectId, record));
  }
}
