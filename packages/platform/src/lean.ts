/**
 * What of the platform a process needs that must start fast and stay small: nothing here brings schemas, databases or
 * metrics along.
 */
export { type Pem, readCertificate, watchCertificate } from './certificate-files.ts'
export { askCollector, CollectorChoice, collectorsOf, hasSeveralCollectors } from './collectors.ts'
export type { Config } from './config.ts'
export { type ControlOptions, type Reasons, startControl } from './control.ts'
export { ControlError } from './control-error.ts'
export { TSIG_ERROR, TsigSigner, checkTsig, signRequest, type Signed, type TsigKey } from './dns-client/tsig.ts'
export { tryTcp, tryUdp } from './free-address.ts'
export { type Geo, openGeo } from './geo/geo.ts'
export { type HeldSockets, closeSocket, isBound } from './held-sockets.ts'
export { type HostPort, urlOf } from './host-port.ts'
export { type Libc, loadLibc } from './libc.ts'
export { type Log, type LogFields, makeLog } from './log.ts'
export { nodeSecret, unsealForNodes } from './node-sealing.ts'
export { placeOf } from './place-of.ts'
export { Problem } from './problem.ts'
export { type ProcessIdentity, identityOf, livesStill, wordsOf } from './process-identity.ts'
export { nodeToken } from './secrets.ts'
export { selfSignedCertificate } from './self-signed.ts'
