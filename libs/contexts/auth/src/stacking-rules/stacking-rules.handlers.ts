import { Injectable } from '@nestjs/common';
import type { StackingRulesSnapshot } from '@scrip/contracts/auth';
import {
  type BusinessClock,
  type IdSource,
  isRefused,
  notFound,
  type Refusal,
  type RequestContext,
} from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { ManagementRefusal } from '../auth.refusals';
import { KeyDirectory } from '../keys/key-directory';
import { ProjectHandlers } from '../projects/project.handlers';
import { type StackingRulesCommand, stackingRulesNotFound } from './stacking-rules.decider';
import { settingsIn, type StackingRulesBody } from './stacking-rules.dto';

type Rules = StackingRulesSnapshot | undefined;

/** Shows and changes the stacking rules of a project. A change counts everywhere when it is answered. Source: reference 01 §10. */
@Injectable()
export class StackingRulesHandlers {
  constructor(
    private readonly projects: ProjectHandlers,
    private readonly directory: KeyDirectory,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** The stored ones; undefined: the defaults hold. */
  async current({ project }: RequestContext): Promise<Rules | ManagementRefusal> {
    const state = await this.projects.find(project.id);
    return state ? state.stacking_rules : notFound('project', project.id);
  }

  /** Refuses `not_found`. */
  async get(context: RequestContext, id: string): Promise<Rules | ManagementRefusal> {
    const rules = await this.current(context);
    return isRefused(rules) || rules?.id === id ? rules : stackingRulesNotFound(id);
  }

  /** Refuses `stacking_rules_exist` and `invalid_payload`. */
  create(
    context: RequestContext,
    ids: IdSource,
    body: StackingRulesBody,
  ): Promise<Rules | ManagementRefusal> {
    return this.change(context, 'CreateStackingRules', ids.next('stk_', 'stacking-rules'), body);
  }

  /** Refuses `not_found` and `invalid_payload`. */
  update(context: RequestContext, id: string, body: StackingRulesBody): Promise<Rules | ManagementRefusal> {
    return this.change(context, 'UpdateStackingRules', id, body);
  }

  /** Has the defaults hold again. Refuses `not_found`. */
  delete(context: RequestContext, id: string): Promise<Rules | ManagementRefusal> {
    return this.execute(context, { type: 'DeleteStackingRules', id });
  }

  /** Has the rules no longer name a category. Refuses `resource_in_use` where they do and `remove` is not set. */
  async releaseCategory(
    context: RequestContext,
    { category_id, remove }: { category_id: string; remove: boolean },
  ): Promise<{ removed: boolean } | Refusal<'resource_in_use' | 'not_found'>> {
    const now = this.clock.now(context.project).toISOString();
    const command = { type: 'ReleaseCategory' as const, category_id, remove, now };
    const executed = await this.projects.execute(context, command);
    if (isRefused(executed)) return executed as Refusal<'resource_in_use' | 'not_found'>;
    if (executed.changed) await this.directory.settle();
    return { removed: executed.changed };
  }

  private async change(
    context: RequestContext,
    type: 'CreateStackingRules' | 'UpdateStackingRules',
    id: string,
    body: StackingRulesBody,
  ): Promise<Rules | ManagementRefusal> {
    const settings = settingsIn(body);
    if (isRefused(settings)) return settings;
    return this.execute(context, { type, id, settings, now: this.clock.now(context.project).toISOString() });
  }

  private async execute(
    context: RequestContext,
    command: StackingRulesCommand,
  ): Promise<Rules | ManagementRefusal> {
    const executed = await this.projects.execute(context, command);
    if (isRefused(executed)) return executed;
    if (executed.changed) await this.directory.settle();
    return executed.state.stacking_rules;
  }
}
