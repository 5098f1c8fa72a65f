import { Injectable } from '@nestjs/common';
import type { ProjectEvent } from '@scrip/contracts/auth';
import {
  type AggregateDefinition,
  type AggregateStore,
  type EventStore,
  InjectEventStore,
} from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { evolveProject, type Project } from './project';
import { type ProjectCommand, decideProject } from './project.decider';

const projectAggregate: AggregateDefinition<Project, ProjectEvent> = {
  aggregate: 'project',
  table: 'projects',
  evolve: evolveProject,
  columns: {},
};

/** Streams of projects; a project's stream has the project's id. */
@Injectable()
export class ProjectHandlers {
  private readonly projects: AggregateStore<Project, ProjectEvent>;

  constructor(@InjectEventStore('auth') store: EventStore) {
    this.projects = store.aggregate(projectAggregate);
  }

  /** Commits what follows from a command; `changed`: whether anything did. Refuses `not_found`. */
  execute(
    context: RequestContext,
    command: ProjectCommand,
  ): Promise<{ changed: boolean } | Refusal<'not_found'>> {
    return this.projects.execute<{ changed: boolean }, 'not_found'>({
      context,
      streamId: context.project.id,
      decide: (state) => {
        const events = decideProject(command, state);
        return isRefused(events) ? events : { events, answer: { changed: events.length > 0 } };
      },
    });
  }

  /** The newest state, undefined for an unknown id. */
  async find(projectId: string): Promise<Project | undefined> {
    return (await this.projects.load(projectId, projectId))?.state;
  }
}
