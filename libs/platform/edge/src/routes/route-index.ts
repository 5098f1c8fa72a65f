import type { RouteArea, RouteMethod, RouteRow } from '@scrip/contracts/registry';

interface Branch {
  readonly fixed: Map<string, Branch>;
  any: Branch | null;
  readonly rows: Map<RouteMethod, RouteRow>;
}

const branch = (): Branch => ({ fixed: new Map(), any: null, rows: new Map() });

const isParameter = (segment: string): boolean => segment.startsWith('{');

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Spells a Fastify url (`/v1/x/:id`) or a table path (`/v1/x/{id}`) without parameter names. */
export const anonymous = (path: string): string => path.replace(/(?<=\/)(:|\{)[^/]+/g, '{}');

/** The area of a path that matches no row, so that unknown routes of an area ask for its credentials first. */
export const areaOfPath = (path: string): RouteArea => {
  if (path.startsWith('/client/')) return 'client';
  if (path.startsWith('/management/')) return 'management';
  if (path.startsWith('/dashboard/api/')) return 'dashboard';
  return path.startsWith('/v1/') || path.startsWith('/v2/') ? 'server' : 'open';
};

const methodOrder: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** Answers name the methods of a path in one order, whatever the order of rows. */
const byMethod = (left: RouteRow, right: RouteRow): number =>
  methodOrder.indexOf(left.method) - methodOrder.indexOf(right.method);

/** Finds rows: by the template that the router matched, or by a raw path where no route did. */
export class RouteIndex {
  private readonly root = branch();
  private readonly byTemplate = new Map<string, RouteRow>();

  /** Throws `Error` when two rows have one method and template. */
  constructor(readonly rows: readonly RouteRow[]) {
    for (const row of [...rows].sort(byMethod)) {
      const template = `${row.method} ${anonymous(row.path)}`;
      if (this.byTemplate.has(template)) throw new Error(`the route table has ${template} twice`);
      this.byTemplate.set(template, row);
      this.plant(row);
    }
  }

  /** `url`: a Fastify route's url. HEAD reads as GET. */
  rowOf(method: string, url: string): RouteRow | undefined {
    return this.byTemplate.get(`${method === 'HEAD' ? 'GET' : method} ${anonymous(url)}`);
  }

  /** Rows of a raw path (no query), by method; empty when nothing is there. A fixed segment wins over a parameter. */
  rowsAt(path: string): ReadonlyMap<RouteMethod, RouteRow> {
    return this.find(this.root, path.split('/').slice(1), 0) ?? new Map<RouteMethod, RouteRow>();
  }

  private plant(row: RouteRow): void {
    let at = this.root;
    for (const segment of row.path.split('/').slice(1)) {
      if (isParameter(segment)) {
        at = at.any ??= branch();
        continue;
      }
      const next = at.fixed.get(segment) ?? branch();
      at.fixed.set(segment, next);
      at = next;
    }
    at.rows.set(row.method, row);
  }

  private find(
    at: Branch,
    segments: readonly string[],
    depth: number,
  ): ReadonlyMap<RouteMethod, RouteRow> | undefined {
    const segment = segments[depth];
    if (segment === undefined) return at.rows.size > 0 ? at.rows : undefined;
    const fixed = at.fixed.get(decoded(segment));
    const found = fixed && this.find(fixed, segments, depth + 1);
    if (found) return found;
    return at.any && segment !== '' ? this.find(at.any, segments, depth + 1) : undefined;
  }
}
