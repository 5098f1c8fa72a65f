export { type Covers, coversOf } from './covers';
export { readShape } from './read-shape';
export { type Circle, type PolygonShape, type Position, type Rings, type Shape } from './shape';
