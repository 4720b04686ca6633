export { type AdminServer, openAdmin } from './admin-server.ts';
export { adminRoutes } from './routes.ts';
