import { Injectable } from '@nestjs/common';
import type { ProjectEvent } from '@scrip/contracts';
import {
  type AggregateDefinition,
  type AggregateStore,
  type EventStore,
  InjectEventStore,
} from '@scrip/event-store';
import { evolveProject, type Project } from './project';

const projectAggregate: AggregateDefinition<Project, ProjectEvent> = {
  aggregate: 'project',
  table: 'projects',
  evolve: evolveProject,
  columns: {},
};

/** Streams of projects; a project's stream has the project's id. */
@Injectable()
export class ProjectStore {
  readonly projects: AggregateStore<Project, ProjectEvent>;

  constructor(@InjectEventStore('auth') store: EventStore) {
    this.projects = store.aggregate(projectAggregate);
  }

  /** The newest state, undefined for an unknown id. */
  async find(projectId: string): Promise<Project | undefined> {
    return (await this.projects.load(projectId, projectId))?.state;
  }
}
