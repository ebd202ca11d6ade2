export { startApi } from './api.ts'
export { type OrganizationReport, verifyAuditLog } from './features/audit-log/verify.ts'
export { createOrganization, createOwner } from './installation.ts'
export { startWorker } from './worker.ts'
