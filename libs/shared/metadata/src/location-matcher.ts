import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort, locationsPerCall, type LocationUser } from '@scrip/contracts/auth';
import { type Geopoint, parseGeopoint, type RequestContext } from '@scrip/kernel';
import { type Covers, coversOf } from '@scrip/locations';
import { InjectPort } from '@scrip/rpc';
import { setImmediate as othersTurn } from 'node:timers/promises';

/** Which of the places that records name lie in locations. */
export interface PlacesInLocations {
  all: readonly string[];
  inside(locationIds: readonly string[]): readonly string[];
}

/** Milliseconds that a call of auth may take: callers may hold locks meanwhile. */
const patienceMs = 2_000;

/** No record names a place. */
export const noPlaces: PlacesInLocations = { all: [], inside: () => [] };

/** Tests places against the locations of a project. Source: reference 07 §9, ADR 113. */
@Injectable()
export class LocationMatcher {
  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  /** Tests texts of places against locations as they are now; what is none lies nowhere and is not among `all`. A location that does
   *  not exist has nothing in it. Throws `Fault` where auth does not answer within two seconds. */
  async of(
    context: RequestContext,
    texts: readonly string[],
    locationIds: readonly string[],
  ): Promise<PlacesInLocations> {
    const places = texts.flatMap((text): [string, Geopoint][] => {
      const place = parseGeopoint(text);
      return place ? [[text, place]] : [];
    });
    if (places.length === 0) return noPlaces;
    const inside = new Map<string, string[]>();
    for (const [id, covers] of await this.shapesOf(context, [...new Set(locationIds)])) {
      inside.set(
        id,
        places.filter(([, place]) => covers(place)).map(([text]) => text),
      );
      // A location may have thousands of edges, and a batch thousands of places.
      await othersTurn();
    }
    return {
      all: places.map(([text]) => text),
      inside: (ids) => [...new Set(ids.flatMap((id) => inside.get(id) ?? []))],
    };
  }

  /** Notes that a filter is about to refer to locations; returns the ids that no location has. See `AuthPort.useLocations`. */
  async use(
    context: RequestContext,
    use: { user: LocationUser; user_id: string; ids: readonly string[] },
  ): Promise<string[]> {
    if (use.ids.length === 0) return [];
    return (await this.auth.useLocations(context, { project_id: context.project.id, ...use })).unknown;
  }

  private async shapesOf(context: RequestContext, ids: readonly string[]): Promise<[string, Covers][]> {
    const shapes: [string, Covers][] = [];
    const impatient = { ...context, deadlineAt: Math.min(context.deadlineAt, Date.now() + patienceMs) };
    for (let from = 0; from < ids.length; from += locationsPerCall) {
      const { locations } = await this.auth.loadLocations(impatient, {
        project_id: context.project.id,
        ids: ids.slice(from, from + locationsPerCall),
      });
      for (const { id, shape } of locations) shapes.push([id, coversOf(shape)]);
    }
    return shapes;
  }
}
