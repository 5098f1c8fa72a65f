import type { ProjectContext } from '@scrip/kernel';

/** Returns the project together with how often its metadata schemas changed; null: it never had one. Source: ADR 78. */
export const withSchemaChanges = (project: ProjectContext, changes: number | null): ProjectContext =>
  changes === null ? project : { ...project, schemaChanges: changes };
