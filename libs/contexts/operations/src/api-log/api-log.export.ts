import { Inject, Injectable } from '@nestjs/common';
import {
  type ExportField,
  type ExportParameters,
  type NotedCall,
  notedChannels,
} from '@scrip/contracts/operations';
import { orderOf } from '@scrip/edge';
import { type ExportKind, exportCondition } from '@scrip/exports';
import { type BusinessClock, isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { calendarAt, type FilterColumns, type SqlStatement, StatementValues } from '@scrip/list-query';
import { InjectBusinessClock, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';

/** A call as the log has it. */
type ApiLogRow = Omit<NotedCall, 'project_id' | 'created_at'> & { created_at: Date };

type Cells = Record<ExportField<'api_log'>, (row: ApiLogRow) => unknown>;

/** The log of a project's API calls. Source: reference 07 §12. */
@Injectable()
export class ApiLogExport implements ExportKind<ApiLogRow, ApiLogRow> {
  readonly kind = 'api_log';
  readonly metadataSchema = null;

  constructor(
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'apiLog'>,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Refuses where no calls are noted: a file without lines would say that there were none. */
  statement(
    { project }: Pick<RequestContext, 'project'>,
    parameters: Pick<ExportParameters, 'filters' | 'order'>,
  ): SqlStatement | Refusal<'invalid_payload'> {
    if (!this.config.apiLog.isOn)
      return refuse(
        'invalid_payload',
        'Property .exported_object cannot be api_log: this server keeps no log of API calls. Its operator switches it on with SCRIP_API_LOG',
      );
    const { add, all } = new StatementValues();
    const calendar = calendarAt(project, this.clock.now(project));
    const columns: FilterColumns = {
      created_at: { sql: 'created_at', kind: 'instant', calendar },
      status: { sql: 'status', kind: 'number' },
      channel: { sql: 'channel', kind: 'text', oneOf: notedChannels },
      app_id: { sql: 'app_id', kind: 'text' },
      client_app_id: { sql: 'client_app_id', kind: 'text' },
    };
    const ofProject = `project_id = ${add(project.id)}`;
    const filter = exportCondition(parameters, columns, add);
    if (isRefused(filter)) return filter;
    const direction = orderOf(parameters.order).descending ? 'DESC' : 'ASC';
    const text = `
      SELECT id, created_at, status, request_id, channel, method, endpoint, url, app_id, client_app_id
      FROM api_log WHERE ${ofProject} AND ${filter}
      ORDER BY created_at ${direction}, id ${direction}`;
    return { text, values: all };
  }

  open(_: RequestContext, rows: readonly ApiLogRow[]): Promise<ApiLogRow[]> {
    return Promise.resolve([...rows]);
  }

  readonly cells: Cells = {
    id: ({ id }) => id,
    created_at: ({ created_at }) => created_at,
    status: ({ status }) => status,
    request_id: ({ request_id }) => request_id,
    channel: ({ channel }) => channel,
    method: ({ method }) => method,
    endpoint: ({ endpoint }) => endpoint,
    url: ({ url }) => url,
    app_id: ({ app_id }) => app_id,
    client_app_id: ({ client_app_id }) => client_app_id,
  };

  metadataOf = () => null;
}
