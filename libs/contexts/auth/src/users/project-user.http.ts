import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import {
  Call,
  ContextOf,
  Ctx,
  type IdempotencyRow,
  KeyRow,
  listOf,
  oneTimePasswordHeader,
  Operation,
  Refusals,
  SessionOfCall,
  type BrowserCall,
} from '@scrip/edge';
import { type CallContext, isRefused, refuse, type RequestContext } from '@scrip/kernel';
import { type ManagementRefusal, managementRefusals } from '../auth.refusals';
import { AddUserBody, ChangeUserBody, InviteUserBody, problemOfInvitation } from './project-user.dto';
import { type ProjectUserResponse, renderProjectUser } from './project-user.wire';
import { ProjectUsers } from './project-users.handlers';
import type { User } from './user';

interface HeaderReply {
  header(name: string, value: string): unknown;
}

type Answer = ProjectUserResponse | ManagementRefusal;

/** A user in a session learns nothing of projects other than the one of the path. */
const rendered = ({ project, user: caller }: RequestContext, user: User): ProjectUserResponse =>
  renderProjectUser(user, project.id, { all: caller === null });

const answer = (context: RequestContext, user: User | ManagementRefusal): Answer =>
  isRefused(user) ? user : rendered(context, user);

/** Management of the users of projects. Source: reference 07 §14. */
@Controller('management/v1/projects')
@ContextOf('auth')
@Refusals(managementRefusals)
export class ProjectUserHttp {
  constructor(private readonly users: ProjectUsers) {}

  @Get(':projectId/users')
  @Operation({
    id: 'listProjectUsers',
    refuses: [],
    summary: 'Lists the users of a project',
    description: 'By login, owners included.',
    answers: { 200: { list: 'data', of: 'ProjectUserResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const users = await this.users.list(context);
    return listOf(
      'data',
      users.map((user) => rendered(context, user)),
      { total: users.length },
    );
  }

  @Post(':projectId/users')
  @Operation({
    id: 'addProjectUser',
    refuses: ['invalid_payload', 'used_incorrect_role', 'member_already_exists'],
    summary: 'Gives a user a role in a project',
    description: 'A user who is there already, named by `id` or by `login`.',
    links: {
      getProjectUser: { userId: '/id' },
      updateProjectUser: { userId: '/id' },
      removeProjectUser: { userId: '/id' },
    },
    example: { login: 'mary@example.com', role: 'USER' },
    answers: { 200: 'ProjectUserResponse' },
  })
  async add(
    @Ctx() context: RequestContext,
    @KeyRow() key: IdempotencyRow | null,
    @Body() body: AddUserBody,
  ): Promise<Answer> {
    return answer(context, await this.users.add(context, body, { resumed: key?.resumed === true }));
  }

  @Get(':projectId/users/:userId')
  @Operation({
    id: 'getProjectUser',
    refuses: [],
    summary: 'Shows a user of a project',
    answers: { 200: 'ProjectUserResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('userId') id: string): Promise<Answer> {
    return answer(context, await this.users.find(context, id));
  }

  @Put(':projectId/users/:userId')
  @Operation({
    id: 'updateProjectUser',
    refuses: ['used_incorrect_role'],
    summary: 'Gives a user of a project another role there',
    description: 'It counts for the next call of the user; sessions go on.',
    example: { role: 'VIEWER' },
    answers: { 200: 'ProjectUserResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('userId') id: string,
    @Body() { role }: ChangeUserBody,
  ): Promise<Answer> {
    return answer(context, await this.users.changeRole(context, id, role));
  }

  @Delete(':projectId/users/:userId')
  @HttpCode(204)
  @Operation({
    id: 'removeProjectUser',
    refuses: ['user_not_assigned', 'last_project_of_user', 'resource_protected'],
    summary: 'Takes the role in a project off a user',
    description: 'Not off the last project of a user. Sessions of the user go on in the other projects.',
    answers: { 204: null },
  })
  async remove(
    @Ctx() context: RequestContext,
    @Param('userId') id: string,
  ): Promise<ManagementRefusal | undefined> {
    return (await this.users.remove(context, id)) ?? undefined;
  }

  @Post('users/invite')
  @HttpCode(204)
  @Operation({
    id: 'inviteUser',
    refuses: ['invalid_payload', 'used_incorrect_role', 'not_found', 'duplicate_found'],
    summary: 'Adds a user with roles in projects',
    description:
      'The login is the e-mail address. Nobody is written to: the password for the first sign-in stands in the header of the answer, this once.',
    example: {
      email: 'mary@example.com',
      first_name: 'Mary',
      last_name: 'Jones',
      projects: { proj_0190000000007000800000000000abcd: 'USER' },
    },
    header: { name: oneTimePasswordHeader, valueOf: null },
    answers: { 204: null },
  })
  async invite(
    @Call() call: CallContext,
    @SessionOfCall() session: BrowserCall['session'],
    @Body() body: InviteUserBody,
    @Res({ passthrough: true }) reply: HeaderReply,
  ): Promise<ManagementRefusal | undefined> {
    const problem = problemOfInvitation(body);
    if (problem !== null) return refuse('invalid_payload', problem);
    const by = { requestId: call.requestId, apiKey: null, user: session && { id: session.user_id } };
    const invited = await this.users.invite(by, body);
    if (isRefused(invited)) return invited;
    reply.header(oneTimePasswordHeader, invited.password);
    return undefined;
  }
}
