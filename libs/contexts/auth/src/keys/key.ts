import type { Project } from '../projects/project';

/** An application key with its project, as one look-up finds them. */
export interface ApplicationKey {
  id: string;
  kind: 'server' | 'client';
  name: string;
  role: string;
  integration: boolean;
  secretHash: Buffer;
  allowedIps: string[];
  blocked: boolean;
  project: Project;
}

/** A management key of this installation. */
export interface ManagementKey {
  id: string;
  name: string;
  secretHash: Buffer;
  allowedIps: string[];
  blocked: boolean;
}
