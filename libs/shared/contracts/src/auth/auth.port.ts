import type { MetadataSchema } from '@scrip/metadata-schemas';
import {
  definePort,
  type CallContext,
  type ProjectContext,
  type Refusal,
  type RequestContext,
} from '@scrip/kernel';
import type { Shape } from '@scrip/locations';
import type { StackingSettings } from '@scrip/order-calculation';
import type { RestoredResources } from '../kept-resources';
import type { Metadata } from '../snapshot';
import type { LocationUser } from './location-users.port';
import type { ClientSwitches } from './project.events';

/** What a request presents; the secret parts in clear, never logged or stored. Source: reference 07 §2. */
export type Credentials =
  | { kind: 'server'; app_id: string; app_token: string; ip: string }
  | { kind: 'client'; app_id: string; app_token: string; ip: string }
  | { kind: 'token'; access_token: string; ip: string }
  | { kind: 'management'; management_id: string; management_token: string; ip: string }
  | { kind: 'session'; session_token: string; project_id: string | null; ip: string };

/** Who calls, and what the credentials reach. `scopes` null = everything the role allows. `key` is the issuing
 *  application key (for a token too), and of a session its user. `project` is null for management keys, which name it in
 *  the path, and for sessions that name none. */
export interface Principal {
  kind: Credentials['kind'];
  key: { id: string; name: string };
  role: string;
  /** It is a key of an integration, or a token issued by one. */
  integration?: true;
  scopes: string[] | null;
  project: ProjectContext | null;
  trusted_domains: string[];
  client_switches: ClientSwitches | null;
  /** Of a user's session. */
  session?: CallersSession;
}

/** The session that a call belongs to. */
export interface CallersSession {
  id: string;
  user_id: string;
  /** Until then it reaches nothing but itself. */
  must_change_password: boolean;
  /** The password was entered within the last 10 minutes. */
  password_is_fresh: boolean;
}

/** Schemas of the largest size that fit one answer between services. */
export const schemasPerCall = 8;

/** Locations of the largest size that fit one answer between services. */
export const locationsPerCall = 8;

/** A location that a template keeps. */
export interface KeptLocation {
  /** `loc_…` */
  id: string;
  name: string;
  /** As reference 07 §9 has it. */
  shape: Metadata;
}

/** What an event of another context says for the audit trail, and who did it. */
export interface ToldFact {
  event_id: string;
  recorded_at: string;
  project_id: string;
  request_id: string;
  user_id: string | null;
  key_id: string | null;
  /** `customer.erased` */
  action: string;
  resource_type: string;
  resource_id: string | null;
  /** No secrets, and no personal data of customers. */
  changes?: object;
}

/** What other contexts and the edge may ask of auth. Source: architecture §7. */
export interface AuthPort {
  /** Refuses `unauthorized` (missing, wrong, blocked, expired) and `forbidden` (another cluster's key, a project
   *  in which the user of a session has no role). Keys may be
   *  cached for a second; the revocation of a token never is. */
  authenticate(
    context: CallContext,
    request: { credentials: Credentials },
  ): Promise<Principal | Refusal<'unauthorized' | 'forbidden'>>;

  /** Refuses `not_found`. */
  loadProject(
    context: CallContext,
    request: { project_id: string },
  ): Promise<ProjectContext | Refusal<'not_found'>>;

  /** A project that a call of the management API names beside that of its path, for who may change settings in it. Refuses `not_found`;
   *  of sessions `forbidden` where the user has no role in it or it is unknown, and `missing_required_permission` for a role that is
   *  too small. Source: reference 07 §2.5, §14. */
  loadManagedProject(
    context: RequestContext,
    request: { project_id: string },
  ): Promise<ProjectContext | Refusal<'not_found' | 'forbidden' | 'missing_required_permission'>>;

  /** The project's metadata schemas for these related objects, at most `schemasPerCall`, as they are now; those without
   *  one are left out. */
  loadMetadataSchemas(
    context: CallContext,
    request: { project_id: string; related_objects: readonly string[] },
  ): Promise<{ schemas: MetadataSchema[] }>;

  /** The shapes of locations, at most `locationsPerCall`, as they are now; those that do not exist are left out. */
  loadLocations(
    context: CallContext,
    request: { project_id: string; ids: readonly string[] },
  ): Promise<{ locations: { id: string; shape: Shape }[] }>;

  /** Returns locations, at most `locationsPerCall`, as they are now; those that do not exist are left out. */
  keepLocations(
    context: RequestContext,
    request: { ids: readonly string[] },
  ): Promise<{ locations: KeptLocation[] }>;

  /** Finds kept locations, at most `locationsPerCall`, in the project, with the same shape, and creates those that are missing or
   *  have changed. May be repeated for a template: what it created before is found. Refuses `invalid_payload` as creations do.
   *  Source: reference 04 §12. */
  restoreLocations(
    context: RequestContext,
    request: { template_id: string; locations: readonly KeptLocation[] },
  ): Promise<RestoredResources | Refusal<'invalid_payload'>>;

  /** Notes that the filter of a segment or collection is about to refer to locations: they cannot be deleted as long as it does.
   *  To be called before the filter is stored, where writes of the project's filters wait for each other. Returns the ids that
   *  no location has; then nothing is noted. May be repeated. Source: reference 07 §9, ADR 113. */
  useLocations(
    context: CallContext,
    request: { project_id: string; user: LocationUser; user_id: string; ids: readonly string[] },
  ): Promise<{ unknown: string[] }>;

  /** The newest stacking rules of a project, with their version (`stackingRulesVersion`); null: the defaults. */
  loadStackingRules(
    context: CallContext,
    request: { project_id: string },
  ): Promise<{ version: number; settings: StackingSettings | null }>;

  /** Has the project's stacking rules no longer name a category: with `remove` takes it out of them, else refuses
   *  `resource_in_use` where they name it. Returns whether they were changed. May be repeated. Source: reference 01 §10. */
  releaseCategory(
    context: RequestContext,
    request: { category_id: string; remove: boolean },
  ): Promise<{ removed: boolean } | Refusal<'resource_in_use' | 'not_found'>>;

  /** Enters into the audit trail what events of other contexts say; an event that is told again changes nothing. Source: reference
   *  07 §2.6. */
  enterAudit(call: CallContext, request: { told: readonly ToldFact[] }): Promise<{ told: number }>;

  /** Adds calls of projects to those of a cycle (`YYYY-MM`), and returns how many these projects had in it over all processes. Calls
   *  of a cycle that is over are dropped. Told again, they are added again. Source: reference 07 §1.6. */
  countCalls(
    call: CallContext,
    request: { cycle: string; calls: readonly { project_id: string; calls: number }[] },
  ): Promise<{ calls: { project_id: string; calls: number }[] }>;
}

export const authPort = definePort<AuthPort>('auth', [
  'enterAudit',
  'countCalls',
  'authenticate',
  'loadProject',
  'loadManagedProject',
  'loadMetadataSchemas',
  'loadLocations',
  'keepLocations',
  'restoreLocations',
  'useLocations',
  'loadStackingRules',
  'releaseCategory',
]);
