// Apart from its callers, so that the wire forms of all record types are loaded when somebody wants a line.
export { zoneFileLine } from '@fairway/domain'
