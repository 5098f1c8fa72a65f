import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { type BusinessClock, type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { Categories } from './categories.table';
import type { CategoryFields, CategoryRefusal } from './category';

/** Shows and changes the categories of a project. Source: reference 04 §9. */
@Injectable()
export class CategoryHandlers {
  constructor(
    private readonly categories: Categories,
    @InjectPort(authPort) private readonly auth: AuthPort,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Newest first; there are at most `categoriesMax`. */
  list({ project }: RequestContext): Promise<CategorySnapshot[]> {
    return this.categories.all(project.id);
  }

  /** Refuses `not_found`. */
  find({ project }: RequestContext, id: string): Promise<CategorySnapshot | CategoryRefusal> {
    return this.categories.find(project.id, id);
  }

  /** Refuses `duplicate_found` and `invalid_payload`. */
  create(
    { project }: RequestContext,
    ids: IdSource,
    fields: CategoryFields,
  ): Promise<CategorySnapshot | CategoryRefusal> {
    return this.categories.create(project.id, ids.next('cat_', 'category'), fields, this.clock.now(project));
  }

  /** Refuses `not_found` and `duplicate_found`. */
  update(
    { project }: RequestContext,
    id: string,
    fields: CategoryFields,
  ): Promise<CategorySnapshot | CategoryRefusal> {
    return this.categories.update(project.id, id, fields, this.clock.now(project));
  }

  /** Refuses `not_found`, and `resource_in_use` where the stacking rules name the category and are to keep it. The rules are
   *  changed first: a call that breaks off between the two leaves a category that can be deleted again, and no rule that
   *  names a deleted one. Source: ADR 122. */
  async delete(
    context: RequestContext,
    id: string,
    { remove }: { remove: boolean },
  ): Promise<CategoryRefusal | null> {
    const known = await this.categories.find(context.project.id, id);
    if (isRefused(known)) return known;
    const released = await this.auth.releaseCategory(context, { category_id: id, remove });
    return isRefused(released) ? released : this.categories.delete(context.project.id, id);
  }
}
