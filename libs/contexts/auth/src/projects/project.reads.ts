import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import { notFound, type Refusal } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { defaultNotifications, type Notifications } from './notifications';
import type { Project } from './project';

/** A project with what is stored beside its events. */
export interface FoundProject {
  state: Project;
  notifications: Notifications;
}

interface Row {
  state: Project;
  callouts: Notifications['callouts'] | null;
  usage: Notifications['usage'] | null;
}

const found = ({ state, callouts, usage }: Row): FoundProject => {
  const defaults = defaultNotifications();
  return {
    state,
    notifications: { callouts: callouts ?? defaults.callouts, usage: usage ?? defaults.usage },
  };
};

const select = `
  SELECT p.state, n.callouts, n.usage FROM projects p LEFT JOIN project_notifications n ON n.project_id = p.project_id
  WHERE p.state IS NOT NULL AND NOT p.deleted`;

/** Projects as managers see them. */
@Injectable()
export class ProjectReads {
  constructor(@InjectDataSource('auth') private readonly source: DataSource) {}

  /** Every project of the organisation, oldest first; there are at most `projectsMax`. */
  async list(): Promise<FoundProject[]> {
    return (await runQuery<Row>(this.source, `${select} ORDER BY p.project_id`, [])).map(found);
  }

  /** Refuses `not_found`. */
  async find(id: string): Promise<FoundProject | Refusal<'not_found'>> {
    const [row] = await runQuery<Row>(this.source, `${select} AND p.project_id = $1 AND p.id = $1`, [id]);
    return row ? found(row) : notFound('project', id);
  }
}
