export { edgeApplication, testKeys } from './edge-application';
export { anyProjectAuth, fakeAuth, testPrincipal, testProject } from './fake-auth';
export { type AccessWorld, routeAccessSuite } from './route-access-suite';
export { type MalformedRequest, malformedRequest } from './malformed-requests';
export { httpCall } from './http-call';
export { nearSchema, widened } from './near-schema';
export { parseQueryString } from '../lists/query-string';
