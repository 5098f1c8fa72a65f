import type { ProjectContext, StoredProject } from '@scrip/kernel';

/** Returns the project together with how often its metadata schemas changed; null: it never had one. Source: ADR 78. */
export const withSchemaChanges = (project: StoredProject, changes: number | null): ProjectContext =>
  changes === null ? project : { ...project, schemaChanges: changes };
