import { Injectable } from '@nestjs/common';
import type { ProjectEvent } from '@scrip/contracts/auth';
import {
  type AggregateDefinition,
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type RowChange,
} from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused, notFound, refuse } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import { type NewMember, rowsOfNewMembers } from '../users/new-members';
import type { AuditFact } from '../audit/audit-entry';
import { projectFacts } from '../audit/audit-facts';
import { auditRow } from '../audit/audit.table';
import { evolveProject, type Project } from './project';
import { type ProjectCommand, type ProjectRefusal, decideProject } from './project.decider';

/** Projects that an organisation may have. Source: reference 07 §14. */
export const projectsMax = 1_000;

type ProjectRefusalKey = ProjectRefusal['refused'];
type NewProjectRefusalKey = ProjectRefusalKey | 'used_incorrect_role';

/** What is committed together with commands of a project. */
export interface Beside<Answer> {
  commands: readonly ProjectCommand[];
  rows: readonly RowChange[];
  /** What the audit trail says of all of it. */
  facts: readonly AuditFact[];
  answer: Answer;
}

/** Whether a command changed anything, and the project as it left it. */
export interface Executed {
  changed: boolean;
  state: Project;
}

const projectAggregate: AggregateDefinition<Project, ProjectEvent> = {
  aggregate: 'project',
  table: 'projects',
  evolve: evolveProject,
  columns: { deleted: { type: 'boolean', of: ({ deleted = false }) => deleted } },
};

/** Streams of projects; a project's stream has the project's id. */
@Injectable()
export class ProjectHandlers {
  private readonly projects: AggregateStore<Project, ProjectEvent>;

  constructor(@InjectEventStore('auth') store: EventStore) {
    this.projects = store.aggregate(projectAggregate);
  }

  /** Commits what follows from a command, together with `rows`; `changed`: whether anything did. Refuses as `decideProject`
   *  does. */
  execute(
    context: RequestContext,
    command: ProjectCommand,
    rows: readonly RowChange[] = [],
  ): Promise<Executed | ProjectRefusal> {
    return this.projects.execute<Executed, ProjectRefusalKey>({
      context,
      streamId: context.project.id,
      decide: (state) => executed(context, command, state, rows),
    });
  }

  /** Creates a project with its keys and users where the installation has room. Refuses `invalid_payload` where it has none,
   *  and users as `rowsOfNewMembers` does. */
  create(
    context: RequestContext,
    command: Extract<ProjectCommand, { type: 'CreateProject' }>,
    rows: readonly RowChange[],
    members: readonly NewMember[],
  ): Promise<Executed | Refusal<NewProjectRefusalKey>> {
    return this.projects.executeLocked<Executed, NewProjectRefusalKey>({
      context,
      streamId: context.project.id,
      decide: async (state, read) => {
        if (!state && (await countUnderLock(read)) >= projectsMax)
          return refuse('invalid_payload', `An organisation can have at most ${projectsMax} projects`);
        const ofMembers = await rowsOfNewMembers(read, context.project.id, members);
        if (isRefused(ofMembers)) return ofMembers;
        const audit = ofMembers.facts.map((fact) => auditRow(context, fact));
        return executed(context, command, state, [...rows, ...ofMembers.rows, ...audit]);
      },
    });
  }

  /** Commits what `decide` finds to change in rows of a project, one call for the project after another. Refuses `not_found` for
   *  a project that is not there, and what `decide` does. */
  executeBeside<Answer, Key extends string>(
    context: RequestContext,
    decide: (read: EntityManager) => Promise<Beside<Answer> | Refusal<Key>>,
  ): Promise<Answer | Refusal<Key | 'not_found'>> {
    return this.projects.executeLocked<Answer, Key | 'not_found'>({
      context,
      streamId: context.project.id,
      decide: async (state, read) => {
        if (!state || state.deleted) return notFound('project', context.project.id);
        const decided = await decide(read);
        if (isRefused(decided)) return decided as Refusal<Key>;
        const { commands, rows, facts, answer } = decided as Beside<Answer>;
        const events: ProjectEvent[] = [];
        for (const command of commands) {
          const told = decideProject(command, events.reduce<Project | undefined>(evolveProject, state));
          if (isRefused(told)) throw new Error(`unreachable: ${told.refused}`);
          events.push(...told);
        }
        return { events, rows: [...rows, ...facts.map((fact) => auditRow(context, fact))], answer };
      },
    });
  }

  /** The newest state; undefined for an id that is unknown or was deleted. */
  async find(projectId: string): Promise<Project | undefined> {
    const state = (await this.projects.load(projectId, projectId))?.state;
    return state?.deleted ? undefined : state;
  }
}

const executed = (
  context: RequestContext,
  command: ProjectCommand,
  state: Project | undefined,
  rows: readonly RowChange[],
) => {
  const events = decideProject(command, state);
  if (isRefused(events))
    return events.refused === 'not_found' && !events.resourceType
      ? notFound('project', context.project.id)
      : events;
  const after = events.reduce<Project | undefined>(evolveProject, state);
  if (!after) throw new Error('unreachable: nothing was decided on no project');
  const audit = projectFacts(context.project.id, events).map((fact) => auditRow(context, fact));
  return { events, rows: [...rows, ...audit], answer: { changed: events.length > 0, state: after } };
};

/** Returns the number of projects, under a lock: they are created one after another. */
const countUnderLock = async (read: EntityManager): Promise<number> => {
  await read.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.projects'))`);
  const [row] = await read.query<{ live: number }[]>(
    'SELECT count(*)::int AS live FROM projects WHERE NOT deleted',
  );
  return row?.live ?? 0;
};
