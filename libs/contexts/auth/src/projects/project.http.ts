import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import {
  type BrowserCall,
  Call,
  ContextOf,
  Ctx,
  listOf,
  Operation,
  Refusals,
  SessionOfCall,
} from '@scrip/edge';
import type { CallContext, RequestContext } from '@scrip/kernel';
import { type ManagementRefusal, managementRefusals } from '../auth.refusals';
import { ProjectManagement } from './project-management.handlers';
import { CreateProjectBody, UpdateProjectBody } from './project.dto';

/** Management of projects. Source: reference 07 §14. */
@Controller('management/v1/projects')
@ContextOf('auth')
@Refusals(managementRefusals)
export class ProjectHttp {
  constructor(private readonly projects: ProjectManagement) {}

  @Post()
  @Operation({
    id: 'createProject',
    refuses: ['invalid_payload', 'forbidden', 'not_found', 'used_incorrect_role'],
    links: {
      getProject: { projectId: '/id' },
      updateProject: { projectId: '/id' },
      deleteProject: { projectId: '/id' },
      addProjectUser: { projectId: '/id' },
      getProjectUser: { projectId: '/id' },
      updateProjectUser: { projectId: '/id' },
      removeProjectUser: { projectId: '/id' },
    },
    summary: 'Creates a project',
    description: 'The secrets of its keys are shown here only.',
    example: {
      name: 'Shop',
      case_sensitive_codes: true,
      timezone: 'Europe/Warsaw',
      currency: 'PLN',
      client_trusted_domains: ['shop.example.com'],
    },
    answers: { 200: 'NewProjectResponse' },
  })
  create(@Call() call: CallContext, @Body() body: CreateProjectBody) {
    return this.projects.create(call, body);
  }

  @Get()
  @Operation({
    id: 'listProjects',
    refuses: [],
    summary: 'Lists the projects of the organisation',
    answers: { 200: { list: 'data', of: 'ProjectResponse', counts: ['total'] } },
  })
  async list(@Call() call: CallContext, @SessionOfCall() session: BrowserCall['session']) {
    const projects = await this.projects.list(call, session);
    return listOf('data', projects, { total: projects.length });
  }

  @Get(':projectId')
  @Operation({
    id: 'getProject',
    refuses: [],
    summary: 'Shows a project',
    answers: { 200: 'ProjectResponse' },
  })
  get(@Ctx() context: RequestContext, @SessionOfCall() session: BrowserCall['session']) {
    return this.projects.get(context, session);
  }

  @Put(':projectId')
  @Operation({
    id: 'updateProject',
    refuses: ['invalid_payload'],
    summary: 'Changes a project',
    description: 'What is not sent stays. Every request that starts after the answer finds the change.',
    example: { name: 'Shop', client_redeem_enabled: true },
    answers: { 200: 'ProjectResponse' },
  })
  update(
    @Ctx() context: RequestContext,
    @SessionOfCall() session: BrowserCall['session'],
    @Body() body: UpdateProjectBody,
  ) {
    return this.projects.update(context, body, session);
  }

  @Delete(':projectId')
  @HttpCode(204)
  @Operation({
    id: 'deleteProject',
    refuses: ['resource_protected'],
    summary: 'Deletes a project for good',
    description:
      'Its keys and access tokens end at once. A project that a start of the server made is never deleted.',
    answers: { 204: null },
  })
  async delete(@Ctx() context: RequestContext): Promise<ManagementRefusal | undefined> {
    return (await this.projects.delete(context)) ?? undefined;
  }
}
