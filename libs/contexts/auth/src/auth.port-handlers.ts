import { Injectable } from '@nestjs/common';
import type { AuthPort } from '@scrip/contracts/auth';
import { notFound } from '@scrip/kernel';
import { KeyAuthentication } from './keys/key-authentication';
import { ProjectHandlers } from './projects/project.handlers';
import { TokenAuthentication } from './tokens/token-authentication';

/** What other contexts and the edge ask of auth. Source: architecture §7. */
@Injectable()
export class AuthPortHandlers implements AuthPort {
  constructor(
    private readonly keys: KeyAuthentication,
    private readonly tokens: TokenAuthentication,
    private readonly projects: ProjectHandlers,
  ) {}

  authenticate: AuthPort['authenticate'] = async (_, { credentials }) => {
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
  };

  loadProject: AuthPort['loadProject'] = async (_, { project_id }) => {
    const found = await this.projects.find(project_id);
    return found?.project ?? notFound('project', project_id);
  };
}
