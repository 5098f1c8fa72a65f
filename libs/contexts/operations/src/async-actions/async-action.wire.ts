import type { AsyncActionSnapshot, OwnedAsyncAction } from '@scrip/contracts/operations';

/** A task as lists show it: what is not known yet is left out. Source: reference 07 §10. */
export const renderListedAction = ({ result: _, ...action }: AsyncActionSnapshot) => ({
  id: action.id,
  type: action.type,
  status: action.status,
  operation_status: action.operation_status,
  created_at: action.created_at,
  ...(action.updated_at === null ? {} : { updated_at: action.updated_at }),
  request_id: action.request_id,
  ...(action.processing_time === null ? {} : { processing_time: action.processing_time }),
  progress: action.progress,
  object: 'async_action' as const,
});

/** What `renderListedAction` makes. `progress`: percent; `processing_time`: ms. */
export type ListedActionResponse = ReturnType<typeof renderListedAction>;

/** What failed, as imports tell it. `row`: of a file, from 1 after the header. */
const renderFailed = ({ identified_by, results }: Failures): FailedResponse[] =>
  results.map(({ identifier, row, failure }) => ({
    ...(identifier === null ? {} : { [identified_by]: identifier }),
    ...(row === undefined ? {} : { row }),
    reason: failure?.details || (failure?.message ?? ''),
  }));

/** What failed, as bulk updates tell it. */
const renderErrors = ({ identified_by, results }: Failures): ErrorResponse[] =>
  results.flatMap(({ identifier, failure }) =>
    failure
      ? [
          {
            key: failure.key,
            message: failure.message,
            details: failure.details,
            ...(identifier === null ? {} : { [identified_by]: identifier }),
          },
        ]
      : [],
  );

type Failures = NonNullable<OwnedAsyncAction['failures']>;

/** An input of an import that failed. */
export interface FailedResponse {
  source_id?: string;
  code?: string;
  row?: number;
  reason: string;
}

/** An input of a bulk update that failed. */
export interface ErrorResponse {
  key: string;
  message: string;
  details: string;
  source_id?: string;
  code?: string;
}

/** What came of a task; which of these there are depends on its type. Source: reference 07 §10. */
export interface ActionResultResponse {
  message?: string;
  done_count?: number;
  failed_count?: number;
  error?: string;
  /** Links to what became of each input. */
  reports?: string[];
  reports_available_till?: string;
  /** The first 100 inputs that failed. */
  failed?: FailedResponse[];
  errors?: ErrorResponse[];
}

const noFailures: Failures = { identified_by: 'source_id', results: [] };

const isImport = ({ type }: Pick<OwnedAsyncAction, 'type'>): boolean => /IMPORT(_CSV)?$/.test(type);

/** Results of tasks without inputs have no counts of what failed; those of imports under earlier releases have no report. */
const renderResult = (action: OwnedAsyncAction, report: string): ActionResultResponse => {
  const { result, failures = noFailures } = action;
  if (result?.failed_count === undefined) return { ...result };
  return {
    ...result,
    ...(result.reports_available_till === undefined ? {} : { reports: [report] }),
    ...(isImport(action) ? { failed: renderFailed(failures) } : { errors: renderErrors(failures) }),
  };
};

/** One task: with its result once there is one. `report`: link to its report. Source: reference 07 §10. */
export const renderAction = ({ failures, ...action }: OwnedAsyncAction, report: string) => ({
  ...renderListedAction(action),
  ...(action.result === null
    ? {}
    : { result: renderResult({ ...action, ...(failures ? { failures } : {}) }, report) }),
  user: null,
  log_id: null,
});

/** What `renderAction` makes. `progress`: percent; `processing_time`: ms. */
export type ActionResponse = ReturnType<typeof renderAction>;
