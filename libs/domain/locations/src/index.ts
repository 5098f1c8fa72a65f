export { type Covers, coversOf } from './covers';
export { readShape, type ShapeProblem } from './read-shape';
export {
  type Circle,
  parseRadius,
  type PolygonShape,
  type Position,
  positionsMax,
  type Rings,
  type Shape,
} from './shape';
