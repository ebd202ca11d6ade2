export { ListenError } from './listen/listen.ts'
export { startDns, type DnsRole } from './role.ts'
