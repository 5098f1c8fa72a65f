import { Injectable } from '@nestjs/common';
import type { ClientAccessChanged, ClientSwitches } from '@scrip/contracts/auth';
import { notFound, type Refusal, internalContext, isRefused, refuse } from '@scrip/kernel';
import { KeyDirectory } from '../keys/key-directory';
import { allSwitchesOff } from './project';
import { ProjectHandlers } from './project.handlers';

/** From where browsers may call a project, and what they may do there. */
export type BrowserAccess = ClientAccessChanged['data'];

/** What is to change of it; absent stays. `trusted` and `allowed` replace what there was. */
export interface BrowserAccessChange {
  /** Origins (`https://shop.example.com`), hosts (`shop.example.com`) or `*`. */
  trusted?: readonly string[] | undefined;
  /** Names of switches that are on: `client_redeem_enabled`. */
  allowed?: readonly string[] | undefined;
}

/** What a trusted domain looks like: an origin, a host, or `*` for all. Source: reference 07 §2.3. */
export const domainForm = /^(?:\*|(?:https?:\/\/)?[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?(?::\d{1,5})?)$/i;

const switches = Object.keys(allSwitchesOff) as (keyof ClientSwitches)[];

const problemOf = ({ trusted = [], allowed = [] }: BrowserAccessChange): string | null => {
  const domain = trusted.find((one) => !domainForm.test(one));
  if (domain !== undefined) return `${domain} is no origin, no host and not *`;
  const unknown = allowed.find((name) => !(switches as string[]).includes(name));
  return unknown === undefined ? null : `${unknown} is none of ${switches.join(', ')}`;
};

/** Lets browsers call a project. Changes reach every process within a second. Source: reference 07 §2.3. */
@Injectable()
export class ClientAccess {
  constructor(
    private readonly projects: ProjectHandlers,
    private readonly directory: KeyDirectory,
  ) {}

  /** Changes what is given and returns what holds now. Refuses `not_found`, and `invalid_payload` for what is no domain or
   *  no switch. */
  async change(
    projectId: string,
    change: BrowserAccessChange,
  ): Promise<BrowserAccess | Refusal<'invalid_payload' | 'not_found'>> {
    const problem = problemOf(change);
    if (problem !== null) return refuse('invalid_payload', problem);
    const known = await this.projects.find(projectId);
    if (!known) return notFound('project', projectId);
    const { trusted, allowed } = change;
    const wanted: BrowserAccess = {
      client_trusted_domains: trusted ? [...trusted] : known.client_trusted_domains,
      client_switches: allowed
        ? (Object.fromEntries(
            switches.map((name) => [name, allowed.includes(name)]),
          ) as unknown as ClientSwitches)
        : known.client_switches,
    };
    const command = { type: 'ChangeClientAccess' as const, wanted };
    const changed = await this.projects.execute(internalContext(known.project), command);
    if (isRefused(changed)) return notFound('project', projectId);
    this.directory.forget();
    return wanted;
  }
}
