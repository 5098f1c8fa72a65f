import type { Principal } from '@scrip/contracts/auth';
import { hasForbiddenCharacters } from '@scrip/kernel';
import type { FastifyRequest } from 'fastify';
import { apiVersions } from '../request/api-version';
import { scopeChallenge } from '../access/challenge';
import { lackingInWords, lackingPermission } from '../access/permissions';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { forbiddenText } from '../media/forbidden-text';
import { consumedType, isAcceptable, isConsumable } from '../media/media-types';
import { announcedBytes, hasBody } from '../media/request-body';
import { textOf } from '../request/header-text';
import { mayChange, type RouteRow } from '@scrip/contracts/registry';
import type { Destination } from './destination';

/** Refuses what a session lacks before its role is looked at. */
export const checkSession = (
  request: FastifyRequest,
  { session, project }: Principal,
  row: RouteRow,
): void => {
  if (!session) return;
  const isAboutItself = row.area === 'dashboard' && row.permission === 'none';
  if (session.must_change_password && !isAboutItself)
    throw new EdgeFailure(failures.forbidden('The password must be changed first'));
  if (project === null && !isAboutItself && row.area !== 'management')
    throw new EdgeFailure(failures.invalidPayload('Header X-Scrip-Project must name a project'));
  const { force } = request.query as { force?: unknown };
  const isForGood = row.method === 'DELETE' && force !== undefined && force !== 'false';
  if ((row.passwordAgain || isForGood) && !session.password_is_fresh)
    throw new EdgeFailure(failures.passwordAgain());
};

/** The version that a call asks for; null: the project's. Refuses one that there is not. */
export const requestedVersion = (request: FastifyRequest): string | null => {
  const version = textOf(request.headers['x-service-api-version']);
  if (version === undefined) return null;
  if (!apiVersions.includes(version))
    throw new EdgeFailure(failures.unsupportedVersion(version, apiVersions));
  return version;
};

/** Refuses an unknown route, another method, and media that the route neither reads nor answers. */
export const checkMethodAndMedia = (request: FastifyRequest, { row, methods }: Destination): void => {
  if (!row) {
    throw new EdgeFailure(
      methods.length > 0
        ? failures.methodNotAllowed(request.method, methods)
        : failures.unknownRoute(request),
    );
  }
  // HEAD is read as GET, and must change nothing.
  if (request.method === 'HEAD' && mayChange(row))
    throw new EdgeFailure({
      ...failures.methodNotAllowed('HEAD', [row.method]),
      headers: { Allow: row.method },
    });
  if (!isAcceptable(request.headers.accept, row.produces))
    throw new EdgeFailure(failures.notAcceptable(row.produces));
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  const readsBody = row.method !== 'GET' && (hasBody(request) || row.consumes === 'form');
  if (readsBody && !isConsumable(row.consumes, contentType, encoding)) {
    throw new EdgeFailure(failures.unsupportedMediaType(consumedType[row.consumes]));
  }
  if ((announcedBytes(request) ?? 0) > row.bodyLimitBytes)
    throw new EdgeFailure(failures.tooLarge(row.bodyLimitBytes));
};

/** Refuses what the role, the scopes, the page or the project's switches do not allow. `untrusted`: what is wrong with the page. */
export const checkPermission = (principal: Principal, row: RouteRow, untrusted: string | null): void => {
  const lacking = lackingPermission(principal, row);
  if (lacking) {
    throw new EdgeFailure({
      ...failures.missingPermission(lackingInWords(lacking)),
      ...(lacking.lacks === 'scope'
        ? { headers: { 'WWW-Authenticate': scopeChallenge(lacking.scope) } }
        : {}),
    });
  }
  if (row.integrationKeysOnly && !principal.integration)
    throw new EdgeFailure(failures.integrationKeyRequired());
  if (untrusted !== null) throw new EdgeFailure(failures.forbidden(untrusted));
  const setting = row.clientSwitch;
  if (setting && !principal.client_switches?.[setting]) {
    throw new EdgeFailure(
      failures.forbidden(
        `The project does not allow this call: ${setting} is off. ` +
          'Whoever runs the server switches it on with `npm run keys -- browsers <project id> --allow <switches>`',
      ),
    );
  }
};

/** Refuses characters that no name can have. */
export const checkPath = (request: FastifyRequest): void => {
  const path = hasForbiddenCharacters(request.params) ?? hasForbiddenCharacters(request.query);
  if (path !== null) throw forbiddenText(path);
};
