import { Injectable } from '@nestjs/common';
import type { AuthPort, Credentials, Principal } from '@scrip/contracts';
import { type CallContext, type ProjectContext, type Refusal, refuse } from '@scrip/kernel';
import { KeyAuthentication } from './keys/key-authentication';
import { ProjectStore } from './projects/project.store';
import { TokenAuthentication } from './tokens/token-authentication';

/** What other contexts and the edge ask of auth. */
@Injectable()
export class AuthPortHandlers implements AuthPort {
  constructor(
    private readonly keys: KeyAuthentication,
    private readonly tokens: TokenAuthentication,
    private readonly projects: ProjectStore,
  ) {}

  async authenticate(
    _context: CallContext,
    { credentials }: { credentials: Credentials },
  ): Promise<Principal | Refusal> {
    switch (credentials.kind) {
      case 'server':
      case 'client':
        return this.keys.application(credentials);
      case 'management':
        return this.keys.management(credentials);
      case 'token':
        return this.tokens.token(credentials.access_token, credentials.ip);
      default:
        return credentials satisfies never;
    }
  }

  async loadProject(
    _context: CallContext,
    { project_id }: { project_id: string },
  ): Promise<ProjectContext | Refusal> {
    const found = await this.projects.find(project_id);
    if (found) return found.project;
    return refuse('not_found', `Cannot find project with id ${project_id}`, {
      resourceId: project_id,
      resourceType: 'project',
    });
  }
}
