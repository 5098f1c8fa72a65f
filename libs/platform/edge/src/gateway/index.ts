export { gatewayEdge } from './gateway-edge';
